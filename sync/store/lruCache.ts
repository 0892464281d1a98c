/**
 * Cache of recently read documents, updated by every change. IndexedDB needs one request per id, so
 * reading a page by ids costs twice as much as a range.
 */
export class LruCache<D extends { readonly id: string }> {
  readonly #most: number
  readonly #rows = new Map<string, D>()
  /** For each read in progress: ids written meanwhile, whose read result is outdated. */
  readonly #reads = new Set<Set<string>>()
  readonly #coming = new Map<string, Promise<readonly D[]>>()

  constructor(most: number) {
    this.#most = most
  }

  learn(changes: readonly { readonly id: string; readonly now: D | null }[]): void {
    for (const { id, now } of changes) {
      for (const touched of this.#reads) touched.add(id)
      // Cache only what was read: a catch-up would evict everything else.
      if (now === null) this.#rows.delete(id)
      else if (this.#rows.has(id)) this.#rows.set(id, now)
    }
  }

  /** In any order; missing ones are left out. `read` loads uncached documents. */
  async get(
    ids: readonly string[],
    read: (missing: string[]) => Promise<readonly D[]>,
  ): Promise<D[]> {
    const wanted = new Set(ids)
    const here = [...wanted].flatMap((id) => this.#rows.get(id) ?? [])
    for (const row of here) {
      this.#keep(row)
      wanted.delete(row.id)
    }
    if (wanted.size === 0) return here
    const coming = new Set([...wanted].flatMap((id) => this.#coming.get(id) ?? []))
    const mine = this.#fetch(
      [...wanted].filter((id) => !this.#coming.has(id)),
      read,
    )
    const rows = await Promise.all([mine, ...coming])
    return [...here, ...rows.flat().filter(({ id }) => wanted.has(id))]
  }

  #fetch(ids: string[], read: (missing: string[]) => Promise<readonly D[]>): Promise<readonly D[]> {
    if (ids.length === 0) return Promise.resolve([])
    const reading = this.#settled(ids, read).finally(() => {
      for (const id of ids) this.#coming.delete(id)
    })
    for (const id of ids) this.#coming.set(id, reading)
    return reading
  }

  /** Reads rows again that were written during the read. */
  async #settled(
    ids: string[],
    read: (missing: string[]) => Promise<readonly D[]>,
  ): Promise<readonly D[]> {
    const touched = new Set<string>()
    this.#reads.add(touched)
    try {
      const rows = (await read(ids)).filter(({ id }) => !touched.has(id))
      for (const row of rows) this.#keep(row)
      const again = ids.filter((id) => touched.has(id))
      return again.length === 0 ? rows : [...rows, ...(await this.#settled(again, read))]
    } finally {
      this.#reads.delete(touched)
    }
  }

  #keep(row: D): void {
    this.#rows.delete(row.id)
    this.#rows.set(row.id, row)
    if (this.#rows.size <= this.#most) return
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined) this.#rows.delete(oldest)
  }
}
