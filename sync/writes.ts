import { createLeaderDuties } from './leader.ts'
import { tableOn } from './outbox/firstWrite.ts'
import { createOutbox } from './outbox/outbox.ts'

/** Loaded with the first write, or with a session. */
export const writes = { createOutbox, createLeaderDuties, tableOn }
