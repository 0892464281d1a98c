import { SEEN_EVENTS_KEPT, SEEN_EVENTS_MAX } from '#schema/limits'

/** Oldest first. */
export interface SeenDisk {
  read(owner: string): Promise<readonly string[]>
  add(owner: string, ids: readonly string[]): Promise<void>
  trim(owner: string, kept: number): Promise<void>
}

/**
 * Ids of events this device has handled for the user [S4.14, S9.08]: an event by push, socket and
 * poll counts once.
 */
export class Seen {
  readonly #disk: SeenDisk
  readonly #owner: string
  #ids: Promise<Set<string>> | null = null

  constructor(disk: SeenDisk, owner: string) {
    this.#disk = disk
    this.#owner = owner
  }

  async has(id: string): Promise<boolean> {
    return (await this.#all()).has(id)
  }

  /**
   * Call after the event's effects are stored: after a crash before that, the event is handled
   * again.
   */
  async add(id: string): Promise<void> {
    const ids = await this.#all()
    if (ids.has(id)) return
    await this.#disk.add(this.#owner, [id])
    ids.add(id)
    if (ids.size <= SEEN_EVENTS_MAX) return
    await this.#disk.trim(this.#owner, SEEN_EVENTS_KEPT)
    for (const old of [...ids].slice(0, ids.size - SEEN_EVENTS_KEPT)) ids.delete(old)
  }

  #all(): Promise<Set<string>> {
    this.#ids ??= this.#disk.read(this.#owner).then((ids) => new Set(ids))
    return this.#ids
  }
}
