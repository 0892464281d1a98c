import { createLeaderDuties } from './leader.ts'
import { tableOn } from './outbox/firstWrite.ts'
import { createOutbox } from './outbox/outbox.ts'

/** Loaded with the first write, or with a session: the outbox, and the election of its sender. */
export const writes = { createOutbox, createLeaderDuties, tableOn }
