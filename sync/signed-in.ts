import type { Nouns } from './engine.ts'
import { receive } from './inbox/receive.ts'
import { Stream } from './inbox/stream.ts'
import { nouns as all } from './nouns/signed-in.ts'
import { edit, remove } from './outbox/edit.ts'

/** Loaded after sign-in: all domain modules, and the event stream, which visitors do not use. */
export const nouns: Nouns = {
  ...all,
  stream: (outside, work) => new Stream(outside, work),
  receive,
  amend: { edit, remove },
}
