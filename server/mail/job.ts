import * as v from 'valibot'
import { APP_NAME } from '#schema/app'
import { queueJob, type QueueOptions } from '../jobs/queue.ts'
import type { Job, JobContext } from '../jobs/run.ts'
import type { Mailer } from './mailer.ts'
import { BULK, order, URGENT, type MailOrder } from './order.ts'
import { mailOf, type Posted } from './templates.ts'

/** Several for urgent mails, since a mail server may be slow with one address. */
const WORKERS = [URGENT, URGENT, URGENT, BULK]

interface Context extends JobContext {
  readonly mailer: Mailer
}

/** Resolves to null when the mail is obsolete. */
export type LetterOf<C> = (services: C, order: MailOrder, now: Date) => Promise<Posted | null>

export const mailJob = <C extends Context>(
  letterOf: LetterOf<C>,
  options: QueueOptions = {},
): Job<C> =>
  queueJob<C>(
    'mail',
    async (services, payload, id, signal) => {
      const found = await letterOf(services, v.parse(order, payload), services.clock())
      if (found === null) return
      const { subject, text } = mailOf(found.letter, APP_NAME)
      await services.mailer.send(
        { id, to: found.address, subject, text, at: services.clock() },
        signal,
      )
    },
    { workers: WORKERS, ...options },
  )
