import { sql } from 'kysely'
import type { Row, Tx } from '../../db/tables.ts'
import { rules, type Group } from '../../live/fact.ts'
import { selectEvents, loggedEventOf, type EventRow } from '../../live/log.ts'
import { render } from '../../live/render.ts'
import { type MailOrder, sendMail } from '../../mail/order.ts'
import type { Posted } from '../../mail/templates.ts'
import type { Services } from '../../route/index.ts'
import { liveUser } from '../account/user.ts'
import { preferencesOf, isQuiet, quietEnds } from './preferences.ts'

const DAY_MS = 86_400_000

type Reader = Pick<Row<'app_user'>, 'language' | 'username'> & { email: string }

type Order<About> = Extract<MailOrder, { about: About }>

/** [API 12.2]; null when mail is off, the message read, or its conversation mailed within a day. */
export async function eventLetter(services: Services, order: Order<'event'>, now: Date) {
  return services.database.tx(async (tx) => {
    const { rows } = await sql<EventRow>`
      ${selectEvents} where e.id = ${order.event} and e.user_id = ${order.user}`.execute(tx)
    const logged = rows[0] === undefined ? null : loggedEventOf(rows[0])
    const group = logged && rules[logged.fact.event].group
    const reader = group && (await readerNow(tx, order, group, now))
    if (logged === null || reader === null) return null
    if (
      logged.fact.event === 'message.created' &&
      !(await mayMail(tx, order.user, logged.fact.conversation, logged.fact.message.seq, now))
    )
      return null
    const { title, message, url } = render(logged, reader.language)
    const text = typeof message === 'string' ? message : message.content
    return letterTo(reader, services, { template: 'event', title, text }, url)
  })
}

export async function announcementLetter(
  services: Services,
  order: Order<'announcement'>,
  now: Date,
) {
  const reader = await services.database.tx((tx) => readerNow(tx, order, 'announcements', now))
  const { title, text, path } = order
  return reader && letterTo(reader, services, { template: 'announcement', title, text }, path)
}

const letterTo = (
  { language, username, email }: Reader,
  { publicUrl }: Services,
  content: { template: 'event' | 'announcement'; title: string; text: string },
  path: string | null,
): Posted => ({
  address: email,
  letter: { ...content, language, username, ...(path !== null && { link: `${publicUrl}${path}` }) },
})

/** null when mail is off; quiet hours requeue the mail. */
async function readerNow(tx: Tx, order: Order<'event' | 'announcement'>, group: Group, now: Date) {
  const user = await liveUser(tx, order.user)
  if (user === null || user.email === null) return null
  if (user.email_verified_at === null || user.suspended_at !== null) return null
  const preferences = await preferencesOf(tx, order.user)
  if (!preferences[group].email) return null
  if (!isQuiet(preferences.quiet_hours, now)) return { ...user, email: user.email }
  await sendMail(tx, order, now, quietEnds(preferences.quiet_hours, now))
  return null
}

async function mayMail(tx: Tx, user: string, conversation: string, seq: number, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('participant')
    .set({ mailed_at: now })
    .where('user_id', '=', user)
    .where('conversation_id', '=', conversation)
    .where('read_until', '<', seq)
    .where((is) =>
      is.or([is('mailed_at', 'is', null), is('mailed_at', '<=', new Date(now.getTime() - DAY_MS))]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
