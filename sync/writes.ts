import { createLeaderDuties } from './leader.ts'
import { tableOn } from './outbox/firstWrite.ts'
import { createOutbox } from './outbox/outbox.ts'

export const writes = { createOutbox, createLeaderDuties, tableOn }
