import * as v from 'valibot'
import { typingShown } from '#schema/wire/socket'

/** What processes tell each other. None of it is needed for correctness: who missed it finds it in the database. */
const note = v.variant('kind', [
  /** These people have something new in their log. */
  v.object({ kind: v.literal('wake'), users: v.array(v.string()) }),
  v.object({ kind: v.literal('typing'), to: v.string(), frame: typingShown }),
  /** Sockets that have to go, wherever they are: these, or all of these sessions. */
  v.object({
    kind: v.literal('close'),
    sockets: v.array(v.string()),
    sessions: v.array(v.string()),
    code: v.number(),
  }),
])
export type Note = v.InferOutput<typeof note>

/** A channel that all processes of one database share. */
export interface Bus {
  /** Sends to the others, and perhaps to oneself; what cannot be sent is lost. */
  tell(note: Note): void
  close(): Promise<void>
}

/** How a channel hands on what it hears. `missed`: it was cut off for a while, so anything may have happened. */
export interface BusCallbacks {
  heard(note: Note): void
  missed(): void
}

/** One process needs no channel. */
export const silentBus: Bus = { tell: () => undefined, close: async () => undefined }

export const writeNote = (note: Note): string => JSON.stringify(note)

/** What another process said, or null when a newer or older one says what this one does not know. */
export function readNote(text: string): Note | null {
  try {
    const read = v.safeParse(note, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

/** Joins what waits into few notes of at most `size` people each; all else goes as it is. */
export function gather(waiting: readonly Note[], size: number): Note[] {
  const users = [...new Set(waiting.flatMap((one) => (one.kind === 'wake' ? one.users : [])))]
  const wakes = Array.from({ length: Math.ceil(users.length / size) }, (_, n): Note => ({
    kind: 'wake',
    users: users.slice(n * size, (n + 1) * size),
  }))
  return [...waiting.filter((one) => one.kind !== 'wake'), ...wakes]
}
