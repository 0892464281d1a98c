import { sql } from 'kysely'
import * as v from 'valibot'
import type { LocalizedText } from '#schema/wire/shapes'
import { severity } from '#schema/wire/notification'
import { localizedText } from '#schema/wire/shapes'
import type { Tx } from '../db/tables.ts'
import { enqueue, steppedJob } from '../jobs/queue.ts'
import type { Job } from '../jobs/run.ts'
import { publish } from '../live/publish.ts'
import { sendMail } from '../mail/order.ts'
import { type Command, misused, type Options, refused, textOf } from './command.ts'

const BATCH = 500

const plan = v.object({
  title: localizedText,
  message: localizedText,
  url: v.string(),
  severity,
  icon: v.nullable(v.string()),
  email: v.boolean(),
  to: v.union([v.picklist(['all', 'sellers']), v.object({ user: v.string() })]),
  /** The last notified user; the next batch starts after this id. */
  after: v.string(),
})
type Plan = v.InferOutput<typeof plan>

export const announceJob: Job = steppedJob('announce', plan, async (tx, announcement, now) => {
  const people = await readers(tx, announcement)
  const { title, message, url, icon } = announcement
  publish(tx, {
    to: people.map((one) => one.id),
    by: null,
    at: now,
    fact: {
      event: 'admin.announcement',
      title,
      message,
      url,
      severity: announcement.severity,
      icon,
      email: announcement.email,
    },
  })
  if (announcement.email) await mailBatch(tx, announcement, people, now)
  const last = people.at(-1)
  return last === undefined || people.length < BATCH ? null : { ...announcement, after: last.id }
})

interface Reader {
  readonly id: string
  readonly language: 'fr' | 'en'
  readonly mails: boolean
}

async function readers(tx: Tx, { to, after }: Plan): Promise<Reader[]> {
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

/** Only to users who chose announcements by mail [API 12.2]. */
async function mailBatch(
  tx: Tx,
  { title, message, url }: Plan,
  people: readonly Reader[],
  now: Date,
): Promise<void> {
  for (const { id, language, mails } of people) {
    if (mails)
      await sendMail(
        tx,
        {
          about: 'announcement',
          user: id,
          title: title[language],
          text: message[language],
          path: url,
        },
        now,
      )
  }
}

function bothOf(options: Options, name: string, most: number): LocalizedText | null {
  const [fr, en] = [textOf(options[`${name}-fr`]), textOf(options[`${name}-en`])]
  return fr !== null && en !== null && [...fr].length <= most && [...en].length <= most
    ? { fr, en }
    : null
}

const announce: Command = {
  names: ['announce'],
  usage:
    '--title-fr … --title-en … --message-fr … --message-en … [--url /path] [--severity info] ' +
    '[--icon url] [--to all|sellers|<user>] [--email]',
  about: 'tells everybody, sellers or one person',
  options: {
    'title-fr': { type: 'string' },
    'title-en': { type: 'string' },
    'message-fr': { type: 'string' },
    'message-en': { type: 'string' },
    url: { type: 'string' },
    severity: { type: 'string' },
    icon: { type: 'string' },
    to: { type: 'string' },
    email: { type: 'boolean' },
  },
  words: [0, 0],
  async change({ options, now }, tx) {
    const title = bothOf(options, 'title', 80)
    const message = bothOf(options, 'message', 300)
    if (title === null || message === null)
      return misused(
        '--title-fr and --title-en (80 characters at most) and --message-fr and --message-en (300 at most) are needed',
      )
    const url = textOf(options['url']) ?? '/notifications'
    if (!isPath(url)) return misused('--url is a path of the app, such as /listings')
    const level = v.safeParse(severity, textOf(options['severity']) ?? 'info')
    if (!level.success) return misused(`--severity is one of ${severity.options.join(', ')}`)
    const icon = textOf(options['icon'])
    if (icon !== null && !isPicture(icon))
      return misused('--icon is a path of the app, such as /icon-192.png, or an https:// address')
    const to = await groupOf(tx, textOf(options['to']) ?? 'all')
    if (to === null) return refused(`${textOf(options['to'])} is not there`)
    await enqueue(
      tx,
      'announce',
      {
        title,
        message,
        url,
        severity: level.output,
        icon,
        email: options['email'] === true,
        to,
        after: '',
      } satisfies Plan,
      now,
    )
    return {
      code: 0,
      lines: ['announced'],
      targets: [typeof to === 'string' ? to : to.user],
      data: { to },
    }
  },
  async after({ services }) {
    await announceJob.run(services)
  },
}

/** Not another host (`//host`). */
const isPath = (address: string): boolean => /^\/(?!\/)/.test(address)

/** Browsers fetch it: a path of this server or an https URL. */
const isPicture = (address: string): boolean =>
  isPath(address) || (URL.canParse(address) && new URL(address).protocol === 'https:')

async function groupOf(tx: Tx, name: string): Promise<Plan['to'] | null> {
  if (name === 'all' || name === 'sellers') return name
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((is) =>
      is.or([
        is('id', '=', name),
        is('username_key', '=', name.toLowerCase()),
        is('email', '=', name.toLowerCase()),
      ]),
    )
    .executeTakeFirst()
  return row ? { user: row.id } : null
}

export const announceCommands: readonly Command[] = [announce]
