import { sql } from 'kysely'
import { listingStatus } from '#schema/wire/listing'
import type { Tx } from '../db/tables.ts'
import {
  approve,
  type Decided,
  feature,
  reject,
  type Reason,
  remove,
  unfeature,
  REASONS,
} from '../nouns/listing/moderation/moderation.ts'
import { statusIn, statusOf, type ListingFlags } from '../nouns/listing/status.ts'
import {
  type Asked,
  type Changed,
  type Command,
  misused,
  type Options,
  refused,
  shown,
  table,
  textOf,
  wholeOf,
} from './command.ts'

const STATUSES: readonly string[] = listingStatus.options
const EXPLANATIONS: Record<Exclude<Decided, 'done'>, string> = {
  unchanged: 'is so already',
  unknown: 'is not there',
  'not-possible': 'cannot be decided so in its present state',
}

const list: Command = {
  names: ['listings', 'list'],
  usage: '[--status pending] [--limit 50]',
  about: 'listings that wait, most reported first, then oldest first',
  options: { status: { type: 'string' }, limit: { type: 'string' } },
  async look({ options, now, services: { database } }) {
    const status = textOf(options['status']) ?? 'pending'
    const limit = wholeOf(options['limit'], 50, 1, 1000)
    if (!STATUSES.includes(status) || limit === null)
      return misused(`--status is one of ${STATUSES.join(', ')}, --limit 1 to 1000`)
    // by the index of those that wait
    const waiting =
      status === 'pending' ? sql`l.review_status = 'pending' and l.deleted_at is null and` : sql``
    const { rows } = await sql<{
      id: string
      status: string
      title: string
      seller: string
      created_at: Date
      reporters: number
    }>`
      select l.id, ${statusIn(now)} as status, l.title, u.username as seller, l.created_at,
        (select count(distinct coalesce(r.reporter_user_id, r.reporter_address, r.reporter))::integer
          from report r where r.listing_id = l.id and r.closed_at is null) as reporters
      from listing l join app_user u on u.id = l.seller_id where ${waiting} ${statusIn(now)} = ${status}
      order by reporters desc, l.created_at, l.id limit ${limit}`.execute(database.db)
    return shown(
      table([
        ['ID', 'STATUS', 'REPORTED', 'CREATED', 'SELLER', 'TITLE'],
        ...rows.map((row) => [
          row.id,
          row.status,
          `${row.reporters}`,
          row.created_at.toISOString().slice(0, 16),
          row.seller,
          row.title,
        ]),
      ]),
      rows,
    )
  },
}

const show: Command = {
  names: ['show'],
  usage: '<listing id>',
  about: 'everything about a listing, its reports and its history',
  args: [1, 1],
  async look({ args: [id = ''], now, services: { database } }) {
    const { rows } = await sql<ListingFlags & Record<string, unknown>>`
      select l.*, null as search, u.username as seller, t.views_total, t.contacts_total, t.favorites_count
      from listing l
      join app_user u on u.id = l.seller_id left join listing_tally t on t.listing_id = l.id
      where l.id = ${id}`.execute(database.db)
    const [row] = rows
    if (!row) return refused(`listing ${id} is not there`)
    const reports = await database.db
      .selectFrom('report')
      .select(['id', 'category', 'message', 'created_at', 'closed_at', 'note'])
      .where('listing_id', '=', id)
      .orderBy('created_at')
      .execute()
    const history = await database.db
      .selectFrom('listing_history')
      .select(['version', 'at', 'actor', 'action', 'fields', 'reason'])
      .where('listing_id', '=', id)
      .orderBy('version')
      .orderBy('at')
      .execute()
    const audit = await database.db
      .selectFrom('audit')
      .select(['at', 'command', 'operator', 'detail'])
      .where('target', '=', id)
      .orderBy('at')
      .execute()
    const { search: _search, client_fingerprint: _fingerprint, ...fields } = row
    const data = { ...fields, status: statusOf(row, now), reports, history, audit }
    const lines = Object.entries(data).flatMap(([name, value]) =>
      Array.isArray(value) && name !== 'labels'
        ? [`${name}:`, ...value.map((one) => `  ${JSON.stringify(one)}`)]
        : [`${name}: ${value instanceof Date ? value.toISOString() : JSON.stringify(value)}`],
    )
    return shown(lines, data)
  },
}

async function decide(
  ids: readonly string[],
  word: string,
  one: (id: string) => Promise<Decided>,
): Promise<Changed> {
  const targets: string[] = []
  const lines: string[] = []
  for (const id of ids) {
    const decided = await one(id)
    if (decided === 'done') targets.push(id)
    lines.push(decided === 'done' ? `${id} ${word}` : `${id} ${EXPLANATIONS[decided]}`)
  }
  return {
    code:
      lines.length === targets.length ||
      lines.every((line) => line.endsWith(word) || line.endsWith(EXPLANATIONS.unchanged))
        ? 0
        : 1,
    lines,
    targets,
    data: { done: targets },
  }
}

function reasonOf(options: Options): Reason | null {
  const [text, code] = [textOf(options['reason']), textOf(options['code'])]
  const texts = code === null ? undefined : REASONS[code]
  if (code !== null && text === null && texts !== undefined) return { code, words: texts }
  return code === null && text !== null && [...text].length >= 3 && [...text].length <= 300
    ? { text }
    : null
}
const WANTED = [
  `--reason "3 to 300 characters", or --code, one of: ${Object.keys(REASONS).join(', ')}`,
]

const approving: Command = {
  names: ['approve'],
  usage: '<listing id>…',
  about: 'pending or rejected listings go public',
  args: [1, 200],
  change: ({ args, now }, tx) =>
    decide(args, 'approved', (id) => approve(tx, id, 'moderator', now)),
}

const deciding = (
  name: string,
  done: string,
  about: string,
  one: (tx: Tx, id: string, reason: Reason, now: Date) => Promise<Decided>,
): Command => ({
  names: [name],
  usage: '<listing id> --reason "…" | --code photo_missing',
  about,
  options: { reason: { type: 'string' }, code: { type: 'string' } },
  args: [1, 1],
  async change({ args, options, now }: Asked, tx) {
    const reason = reasonOf(options)
    return reason === null
      ? misused(...WANTED)
      : decide(args, done, (id) => one(tx, id, reason, now))
  },
})

const featuring: Command = {
  names: ['feature'],
  usage: '<listing id> [--days 7]',
  about: 'first among the featured, beyond the two of its owner',
  options: { days: { type: 'string' } },
  args: [1, 1],
  async change({ args, options, now }, tx) {
    const days = wholeOf(options['days'], 7, 1, 90)
    return days === null
      ? misused('--days is 1 to 90')
      : decide(args, `featured for ${days} days`, (id) => feature(tx, id, days, now))
  },
}

const unfeaturing: Command = {
  names: ['unfeature'],
  usage: '<listing id>',
  about: 'no longer featured',
  args: [1, 1],
  change: ({ args, now }, tx) => decide(args, 'no longer featured', (id) => unfeature(tx, id, now)),
}

export const listingCommands: readonly Command[] = [
  list,
  show,
  approving,
  deciding('reject', 'rejected', 'the owner reads why', reject),
  featuring,
  unfeaturing,
  deciding('remove', 'removed', 'deleted by a moderator; the owner reads why', remove),
]
