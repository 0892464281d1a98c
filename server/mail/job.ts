import * as v from 'valibot'
import { APP_NAME } from '#schema/app'
import { queueJob, type QueueOptions } from '../jobs/queue.ts'
import type { Job } from '../jobs/run.ts'
import { newLink } from '../nouns/account/link.ts'
import { accountToReset } from '../nouns/account/reset.ts'
import { announcementLetter, eventLetter } from '../nouns/notification/mail.ts'
import type { Services } from '../route/services.ts'
import { BULK, order, URGENT, type MailOrder } from './order.ts'
import { wordsOf, type Letter } from './templates.ts'

/**
 * Several workers for urgent mails, since a mail server may be slow with one address; one for the
 * rest.
 */
const WORKERS = [URGENT, URGENT, URGENT, BULK]

export const mailJobWith = (options: QueueOptions): Job =>
  queueJob(
    'mail',
    async (services, payload, id, signal) => {
      const found = await letterOf(services, v.parse(order, payload))
      if (found === null) return
      const { subject, text } = wordsOf(found.letter, APP_NAME)
      await services.mailer.send(
        { id, to: found.address, subject, text, at: services.clock() },
        signal,
      )
    },
    // one at a time, so that a more urgent mail that arrives meanwhile is next
    { atOnce: 1, workers: WORKERS, ...options },
  )
export const mailJob = mailJobWith({})

/** null when the mail is obsolete. */
async function letterOf(
  services: Services,
  what: MailOrder,
): Promise<{ letter: Letter; address: string } | null> {
  const now = services.clock()
  const { db } = services.database
  if (what.about === 'event') return eventLetter(services, what, now)
  if (what.about === 'announcement') return announcementLetter(services, what, now)
  const target = what.about === 'reset' ? await accountToReset(services, what.name, now) : what
  if (target === null) return null
  const user = await db
    .selectFrom('app_user')
    .select(['username', 'language', 'email', 'deleted_at'])
    .where('id', '=', target.user)
    .executeTakeFirst()
  if (user === undefined || user.deleted_at !== null) return null
  const { address } = target
  const person = { username: user.username, language: user.language }
  const page = (path: string) => `${services.publicUrl}${path}`
  switch (what.about) {
    case 'verify':
    case 'reset': {
      // an address that was changed meanwhile gets no link
      if (user.email !== address) return null
      const token = await services.database.tx((tx) =>
        newLink(tx, { user: target.user, purpose: what.about, email: address }, now),
      )
      const path = what.about === 'verify' ? '/verify-email' : '/reset-password'
      return {
        address,
        letter: {
          ...person,
          template: what.about,
          link: page(`${path}?uid=${target.user}&token=${token}`),
        },
      }
    }
    case 'password_changed':
      return {
        address,
        letter: { ...person, template: 'password_changed', link: page('/forgot-password') },
      }
    case 'email_changed':
      return { address, letter: { ...person, template: 'email_changed' } }
    case 'suspended':
      return { address, letter: { ...person, template: 'suspended', text: what.text } }
  }
}
