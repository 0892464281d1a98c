/** A reproducible random generator, seeded with a name. */
export interface Random {
  whole(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  pick<T>(list: readonly T[]): T
  weigh<K extends string>(shares: Readonly<Record<K, number>>): K
}

const SEED = 20260101

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export function random(...name: (string | number)[]): Random {
  let state = fnv1a([SEED, ...name].join(':'))
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    whole: (from, to) => from + Math.floor(next() * (to + 1 - from)),
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => at(list, Math.floor(next() * list.length)),
    weigh: (shares) => {
      const keys = keysOf(shares)
      let rest = next() * keys.reduce((sum, key) => sum + shares[key], 0)
      for (const key of keys) if ((rest -= shares[key]) < 0) return key
      return at(keys, keys.length - 1)
    },
  }
}

function keysOf<K extends string>(shares: Readonly<Record<K, number>>): K[] {
  const keys: K[] = []
  for (const key in shares) keys.push(key)
  return keys
}

function at<T>(list: readonly T[], index: number): T {
  const one = list[index]
  if (one === undefined) throw new RangeError('drawn from an empty list')
  return one
}
