import * as v from 'valibot'
import { jsonOf, parsed } from '#schema/parsed'
import { typingShown } from '#schema/wire/socket'

/** They only reduce latency: what a process misses is in the database. */
const note = v.variant('kind', [
  v.object({ kind: v.literal('wake'), users: v.array(v.string()) }),
  v.object({ kind: v.literal('typing'), to: v.string(), frame: typingShown }),
  v.object({
    kind: v.literal('close'),
    sockets: v.array(v.string()),
    sessions: v.array(v.string()),
    code: v.number(),
  }),
])
export type Note = v.InferOutput<typeof note>

export interface Bus {
  /** May also reach this process; undeliverable notes are dropped. */
  send(note: Note): void
  close(): Promise<void>
}

/** `missed`: any note may be lost. */
export interface BusCallbacks {
  received(note: Note): void
  missed(): void
}

export const silentBus: Bus = { send: () => undefined, close: async () => undefined }

export const writeNote = (note: Note) => JSON.stringify(note)

/** null for an unknown note of another version. */
export const readNote = (text: string) => parsed(note, jsonOf(text))

/** Combines wakes into notes of at most `size` users. */
export function gather(waiting: readonly Note[], size: number): Note[] {
  const users = [...new Set(waiting.flatMap((one) => (one.kind === 'wake' ? one.users : [])))]
  const wakes = Array.from({ length: Math.ceil(users.length / size) }, (_, n): Note => ({
    kind: 'wake',
    users: users.slice(n * size, (n + 1) * size),
  }))
  return [...waiting.filter((one) => one.kind !== 'wake'), ...wakes]
}
