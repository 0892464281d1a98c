import type { Nouns } from './engine.ts'
import { receive } from './inbox/receive.ts'
import { Stream } from './inbox/stream.ts'
import { nouns as all } from './nouns/signed-in.ts'
import { edit, remove } from './outbox/edit.ts'

/** What the engine learns once somebody is in: all nouns, and the socket with its events, which visitors have no use for. */
export const nouns: Nouns = {
  ...all,
  stream: (outside, work) => new Stream(outside, work),
  receive,
  amend: { edit, remove },
}
