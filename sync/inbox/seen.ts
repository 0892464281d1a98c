import { SEEN_EVENTS_KEPT, SEEN_EVENTS_MAX } from '#schema/limits'

/** Oldest first. */
export interface SeenDisk {
  read(owner: string): Promise<readonly string[]>
  add(owner: string, id: string): Promise<unknown>
  trim(owner: string, kept: number): Promise<void>
}

export type Seen = ReturnType<typeof createSeen>

/** [S4.14, S9.08] */
export function createSeen(
  device: { open(): Promise<{ readonly seen: SeenDisk }> },
  owner: string,
) {
  let reading: Promise<Set<string>> | null = null
  const all = () => (reading ??= read())
  const read = async () => new Set(await (await device.open()).seen.read(owner))
  return {
    has: async (id: string) => (await all()).has(id),
    /** After the event's effects are stored. */
    async add(id: string) {
      const ids = await all()
      if (ids.has(id)) return
      const { seen } = await device.open()
      await seen.add(owner, id)
      ids.add(id)
      if (ids.size <= SEEN_EVENTS_MAX) return
      await seen.trim(owner, SEEN_EVENTS_KEPT)
      for (const old of [...ids].slice(0, ids.size - SEEN_EVENTS_KEPT)) ids.delete(old)
    },
  }
}
