/** A reproducible random generator: each thing of the demo has its own, seeded with its name. */
export interface Random {
  /** In [0, 1). */
  next(): number
  whole(from: number, to: number): number
  between(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  pick<T>(list: readonly T[]): T
  weigh<K extends string>(shares: Readonly<Record<K, number>>): K
  normal(mean: number, deviation: number): number
  /** How many of `tries` succeed; exact for few, by the normal approximation for many. */
  binomial(tries: number, share: number): number
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
  const between = (from: number, to: number) => from + next() * (to - from)
  const whole = (from: number, to: number) => Math.floor(between(from, to + 1))
  const chance = (share: number) => next() < share
  const normal = (mean: number, deviation: number) =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    whole,
    between,
    chance,
    normal,
    pick: <T>(list: readonly T[]): T => at(list, Math.floor(next() * list.length)),
    weigh: (shares) => {
      const keys = keysOf(shares)
      let rest = next() * keys.reduce((sum, key) => sum + shares[key], 0)
      for (const key of keys) if ((rest -= shares[key]) < 0) return key
      return at(keys, keys.length - 1)
    },
    binomial: (tries, share) => {
      if (tries > 60)
        return Math.max(
          0,
          Math.min(
            tries,
            Math.round(normal(tries * share, Math.sqrt(tries * share * (1 - share)))),
          ),
        )
      let hits = 0
      for (let n = 0; n < tries; n += 1) if (chance(share)) hits += 1
      return hits
    },
  }
}

/** One thing for each n below `count` that `draw` gives something for, without repeated pairs. */
export function* drawPairs<T>(
  name: string,
  count: number,
  draw: (choice: Random, n: number) => { pair: string; make: () => T } | null,
): Generator<T> {
  const pairs = new Set<string>()
  for (let n = 0; n < count; n += 1) {
    const drawn = draw(random(name, n), n)
    if (drawn === null || pairs.has(drawn.pair)) continue
    pairs.add(drawn.pair)
    yield drawn.make()
  }
}

/** Picks from a list by weight in log time: the running sums are computed once. */
export function weightedChoice<T>(
  list: readonly T[],
  weight: (one: T) => number,
): (choice: Random) => T {
  const sums: number[] = []
  let sum = 0
  for (const one of list) sums.push((sum += weight(one)))
  return (choice) => {
    const ticket = choice.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > ticket) high = middle
      else low = middle + 1
    }
    return at(list, low)
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
