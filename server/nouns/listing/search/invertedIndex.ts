/** `titled`: all terms in title, brand and model. */
export interface Found {
  readonly titled: readonly number[]
  readonly rest: readonly number[]
}

const NONE: Found = { titled: [], rest: [] }

/**
 * Only `move` removes entries, so no listing's terms are stored; the owner ignores emptied
 * positions.
 */
export class InvertedIndex {
  private readonly known = new Map<string, Postings>()
  /** By first letters: a search matches prefixes. */
  private readonly byPrefix = new Map<string, string[]>()
  private end = 0

  /** Positions ascend. A repeated term is a title term if it is one once. */
  add(place: number, word: string, inTitle: boolean): void {
    this.end = place + 1
    const known = this.known.get(word)
    if (known !== undefined) {
      known.add(place, inTitle)
      return
    }
    const postings = new Postings()
    postings.add(place, inTitle)
    this.known.set(word, postings)
    const prefix = word.slice(0, LETTERS)
    const words = this.byPrefix.get(prefix)
    if (words === undefined) this.byPrefix.set(prefix, [word])
    else words.push(word)
  }

  /** Each of `words` is a prefix of a term. */
  find(words: readonly string[]): Found {
    const asked = words
      .map((word) => this.withPrefix(word))
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    if (asked.some((postings) => postings.length === 0)) return NONE
    // Terms that each position matched so far; a search has at most 50.
    const anywhere = new Uint8Array(this.end)
    const inTitle = new Uint8Array(this.end)
    const places: number[] = []
    for (const [n, several] of asked.entries()) {
      for (const postings of several)
        postings.count(n, anywhere, inTitle, n + 1 === asked.length ? places : null)
    }
    const [titled, rest]: [number[], number[]] = [[], []]
    for (const place of places) (inTitle[place] === asked.length ? titled : rest).push(place)
    return { titled, rest }
  }

  words(): Iterable<string> {
    return this.known.keys()
  }

  count(word: string, onlyTitles: boolean): number {
    const postings = this.known.get(word)
    return (onlyTitles ? postings?.titled() : postings?.size) ?? 0
  }

  /** Negative removes; the order stays. */
  move(moved: Int32Array): void {
    const prefixes = new Set<string>()
    for (const [word, postings] of this.known) {
      postings.move(moved)
      if (postings.size > 0) continue
      this.known.delete(word)
      prefixes.add(word.slice(0, LETTERS))
    }
    for (const prefix of prefixes) {
      const words = (this.byPrefix.get(prefix) ?? []).filter((word) => this.known.has(word))
      if (words.length === 0) this.byPrefix.delete(prefix)
      else this.byPrefix.set(prefix, words)
    }
  }

  private withPrefix(start: string): Postings[] {
    const lists =
      start.length < LETTERS
        ? [...this.byPrefix]
            .filter(([prefix]) => prefix.startsWith(start))
            .map(([, words]) => words)
        : [this.byPrefix.get(start.slice(0, LETTERS)) ?? []]
    return lists.flatMap((words) =>
      words.filter((word) => word.startsWith(start)).flatMap((word) => this.known.get(word) ?? []),
    )
  }
}

const LETTERS = 2
/** Shorter arrays are exact: most terms are rare. */
const SHORT = 16

const sizeOf = (several: readonly Postings[]) => several.reduce((sum, { size }) => sum + size, 0)

/** Ascending: twice the position, plus one for a title term. */
class Postings {
  size = 0
  private at: number[] | Uint32Array = []

  add(place: number, inTitle: boolean): void {
    const mark = 2 * place + Number(inTitle)
    const last = this.at[this.size - 1] ?? -1
    if (last >> 1 === place) {
      this.at[this.size - 1] = last | mark
      return
    }
    this.at =
      this.at instanceof Uint32Array
        ? wider(this.at, this.size)
        : this.size < SHORT
          ? this.at.concat(0)
          : wider(Uint32Array.from(this.at), this.size)
    this.at[this.size] = mark
    this.size += 1
  }

  /** Positions that matched the `n` terms before; adds them to `places`. */
  count(n: number, anywhere: Uint8Array, inTitle: Uint8Array, places: number[] | null): void {
    const { at, size } = this
    for (let k = 0; k < size; k += 1) {
      const mark = at[k] ?? 0
      const place = mark >> 1
      if ((mark & 1) === 1 && inTitle[place] === n) inTitle[place] = n + 1
      if (anywhere[place] !== n) continue
      anywhere[place] = n + 1
      if (places !== null) places.push(place)
    }
  }

  titled(): number {
    let count = 0
    for (let k = 0; k < this.size; k += 1) count += (this.at[k] ?? 0) & 1
    return count
  }

  move(moved: Int32Array): void {
    const { at } = this
    let size = 0
    for (let k = 0; k < this.size; k += 1) {
      const mark = at[k] ?? 0
      const place = moved[mark >> 1] ?? -1
      if (place < 0) continue
      at[size] = 2 * place + (mark & 1)
      size += 1
    }
    this.size = size
    if (!(at instanceof Uint32Array)) at.length = size
    else if (size <= SHORT) this.at = [...at.subarray(0, size)]
  }
}

function wider(at: Uint32Array, size: number): Uint32Array {
  if (size < at.length) return at
  const wide = new Uint32Array(Math.ceil(1.5 * size))
  wide.set(at)
  return wide
}
