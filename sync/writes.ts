import { LeaderDuties } from './leaderDuties.ts'
import { tableOn } from './outbox/firstWrite.ts'
import { Outbox } from './outbox/outbox.ts'

/** Loaded with the first write, or with a session: the outbox, and the election of its sender. */
export const writes = { Outbox, LeaderDuties, tableOn }
