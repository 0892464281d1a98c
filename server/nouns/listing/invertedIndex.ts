/** What a search finds, by place: what has every word in title, brand or model, and what has one of them elsewhere only. */
export interface Found {
  readonly titled: readonly number[]
  readonly rest: readonly number[]
}

const NONE: Found = { titled: [], rest: [] }

/**
 * Which words stand where, by place. Nothing is taken out of it but by `move`, so that no list of a listing's words has to be
 * kept: who removes or changes a listing leaves its place empty, and finds that place no more in whatever it looks up there.
 */
export class Words {
  private readonly known = new Map<string, Stands>()
  /** Words by their first letters, since a search names how words begin. */
  private readonly beginnings = new Map<string, string[]>()
  private end = 0

  /** Places ascend from call to call. A word that comes twice counts as one of the title when it once does. */
  add(place: number, word: string, inTitle: boolean): void {
    this.end = place + 1
    const known = this.known.get(word)
    if (known !== undefined) {
      known.add(place, inTitle)
      return
    }
    const stands = new Stands()
    stands.add(place, inTitle)
    this.known.set(word, stands)
    this.shelve(word)
  }

  /** Places where each of `words` begins a word. */
  find(words: readonly string[]): Found {
    const asked = words
      .map((word) => this.beginningWith(word))
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    if (asked.some((stands) => stands.length === 0)) return NONE
    // how many of the words a place has, as far as it has all before; a search has at most 50
    const anywhere = new Uint8Array(this.end)
    const inTitle = new Uint8Array(this.end)
    const places: number[] = []
    for (const [n, several] of asked.entries()) {
      for (const stands of several)
        stands.count(n, anywhere, inTitle, n + 1 === asked.length ? places : null)
    }
    const [titled, rest]: [number[], number[]] = [[], []]
    for (const place of places) (inTitle[place] === asked.length ? titled : rest).push(place)
    return { titled, rest }
  }

  /** Every place gets its new number, or goes where that is negative. The order stays. */
  move(moved: Int32Array): void {
    const beginnings = new Set<string>()
    for (const [word, stands] of this.known) {
      stands.move(moved)
      if (stands.size > 0) continue
      this.known.delete(word)
      beginnings.add(word.slice(0, LETTERS))
    }
    for (const beginning of beginnings) {
      const words = (this.beginnings.get(beginning) ?? []).filter((word) => this.known.has(word))
      if (words.length === 0) this.beginnings.delete(beginning)
      else this.beginnings.set(beginning, words)
    }
  }

  private shelve(word: string): void {
    const beginning = word.slice(0, LETTERS)
    const words = this.beginnings.get(beginning)
    if (words === undefined) this.beginnings.set(beginning, [word])
    else words.push(word)
  }

  private beginningWith(start: string): Stands[] {
    const lists =
      start.length < LETTERS
        ? [...this.beginnings]
            .filter(([beginning]) => beginning.startsWith(start))
            .map(([, words]) => words)
        : [this.beginnings.get(start.slice(0, LETTERS)) ?? []]
    return lists.flatMap((words) =>
      words.filter((word) => word.startsWith(start)).flatMap((word) => this.known.get(word) ?? []),
    )
  }
}

const LETTERS = 2
/** Up to here a list is copied with each place: most words are rare, and a list that fits costs them the least. */
const SHORT = 16

const sizeOf = (several: readonly Stands[]): number =>
  several.reduce((sum, { size }) => sum + size, 0)

/** The places of one word, ascending: twice the place, and one more where it stands in the title. */
class Stands {
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

  /** Counts this as the next word of all places that have the `n` before; what has it then is added to `places`. */
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
