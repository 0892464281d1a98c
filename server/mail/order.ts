import * as v from 'valibot'
import type { Tx } from '../db/tables.ts'
import { enqueue } from '../jobs/queue.ts'

/**
 * Link tokens are made when it is sent, so that they are never stored [API 7.5]; a reset is looked
 * up then, so that the response time reveals no account [API 7.6].
 */
export const order = v.variant('about', [
  v.object({ about: v.literal('verify'), user: v.string(), address: v.string() }),
  v.object({ about: v.literal('reset'), name: v.string() }),
  v.object({
    about: v.picklist(['password_changed', 'email_changed']),
    user: v.string(),
    address: v.string(),
  }),
  v.object({
    about: v.literal('suspended'),
    user: v.string(),
    address: v.string(),
    text: v.string(),
  }),
  v.object({ about: v.literal('event'), user: v.string(), event: v.string() }),
  v.object({
    about: v.literal('announcement'),
    user: v.string(),
    title: v.string(),
    text: v.string(),
    path: v.nullable(v.string()),
  }),
])
export type MailOrder = v.InferOutput<typeof order>

/** First mails that somebody waits for, last announcements. */
export const URGENT = 0
export const EVENT = 1
export const BULK = 2
const priorityOf = ({ about }: MailOrder) =>
  about === 'announcement' ? BULK : about === 'event' ? EVENT : URGENT

export const sendMail = (tx: Tx, what: MailOrder, now: Date, runAt: Date = now) =>
  enqueue(tx, 'mail', what, now, runAt, priorityOf(what))
