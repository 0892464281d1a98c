import { sql } from 'kysely'
import * as v from 'valibot'
import { severity } from '#schema/wire/notification'
import { localizedText } from '#schema/wire/shapes'
import { pick } from '#schema/pick'
import type { Row, Tx } from '../../db/tables.ts'
import { steppedJob } from '../../jobs/queue.ts'
import { publish } from '../../live/publish.ts'
import { sendMail } from '../../mail/order.ts'

const BATCH = 500

const shape = v.object({
  title: localizedText,
  message: localizedText,
  url: v.string(),
  severity,
  icon: v.nullable(v.string()),
  email: v.boolean(),
  to: v.union([v.picklist(['all', 'sellers']), v.object({ user: v.string() })]),
  /** The last notified user. */
  after: v.string(),
})
export type Announcement = v.InferOutput<typeof shape>

export const announceJob = steppedJob('announce', shape, async (tx, announcement, now) => {
  const people = await readers(tx, announcement)
  const content = pick(announcement, ['title', 'message', 'url', 'severity', 'icon', 'email'])
  const to = people.map((one) => one.id)
  publish(tx, { to, at: now, fact: { event: 'admin.announcement', ...content } })
  const { title, message, url: path } = announcement
  for (const { id: user, language, mails } of people)
    if (announcement.email && mails) {
      const [subject, text] = [title[language], message[language]]
      await sendMail(tx, { about: 'announcement', user, title: subject, text, path }, now)
    }
  const last = people.at(-1)
  return last === undefined || people.length < BATCH ? null : { ...announcement, after: last.id }
})

type Reader = Pick<Row<'app_user'>, 'id' | 'language'> & { readonly mails: boolean }

async function readers(tx: Tx, { to, after }: Announcement) {
  const whom =
    to === 'all'
      ? sql`true`
      : to === 'sellers'
        ? sql`exists (select from listing l where l.seller_id = u.id and l.deleted_at is null)`
        : sql`u.id = ${to.user}`
  const { rows } = await sql<Reader>`
    select u.id, u.language, coalesce(p.announcements_email, false) as mails
    from app_user u left join preference p on p.user_id = u.id
    where u.id > ${after} and u.deleted_at is null and u.suspended_at is null and ${whom}
    order by u.id limit ${BATCH}`.execute(tx)
  return rows
}
