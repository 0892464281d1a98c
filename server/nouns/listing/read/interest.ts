import { sql } from 'kysely'
import { type Exchange, shortHash } from '../../../route/index.ts'
import type { Db } from '../../../db/tables.ts'
import { dayOf } from '../card.ts'
import { mayRead } from './feed.ts'
import { isMembers } from '#schema/members'
import { type Query, readFilter } from '#schema/filter'

export type Someone = Pick<Exchange, 'caller' | 'visitorSession' | 'address' | 'userAgent'>

const SESSION = /^[A-Za-z0-9_-]{8,64}$/

export function sessionOf(given: string | null | undefined, header: string | null): string | null {
  return given !== null && given !== undefined && SESSION.test(given) ? given : header
}

/** User, else session, else a daily hash of address and browser [API 8.4]. */
export async function viewerOf(
  db: Db,
  { caller, visitorSession, address, userAgent }: Someone,
  now: Date,
): Promise<string> {
  const known = knownViewer(caller?.id ?? null, visitorSession)
  if (known !== null) return known
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'viewer_salt')
    .executeTakeFirst()
  return `h:${shortHash(`${row?.value ?? ''}\n${dayOf(now)}\n${address}\n${userAgent}`)}`
}

/** Across days; null for others. */
export function knownViewer(userId: string | null, session: string | null): string | null {
  if (userId !== null) return `u:${userId}`
  return session === null ? null : `s:${session}`
}

const CRAWLER = new RegExp(
  [
    String.raw`bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp\/|telegram`,
    'skypeuripreview|embedly|headlesschrome-lighthouse|pingdom|uptime',
  ].join('|'),
  'i',
)

const isCrawler = (userAgent: string): boolean => CRAWLER.test(userAgent)

/** Once per viewer and day [API 8.4]. `at` is the time of the view, `now` the present. */
export async function countViews(
  db: Db,
  listings: readonly string[],
  someone: Someone,
  at: Date,
  now: Date,
) {
  if (isCrawler(someone.userAgent) || listings.length === 0) return
  const viewer = await viewerOf(db, someone, at)
  const today = dayOf(now)
  await sql`
    with seen as (
      insert into listing_view (listing_id, viewer, day, at)
      select l.id, ${viewer}, ${dayOf(at)}::date, ${at}::timestamptz from listing l
      where l.id = any(${[...new Set(listings)].toSorted()}::text[])
        and l.seller_id <> ${someone.caller?.id ?? ''} and ${mayRead(null, now)}
      order by l.id
      on conflict do nothing returning listing_id, day
    )
    update listing_tally t set
      views_total = t.views_total + 1,
      views_today = case when seen.day <> ${today}::date then t.views_today
        when t.views_day = seen.day then t.views_today + 1 else 1 end,
      views_day = case when seen.day = ${today}::date then seen.day else t.views_day end
    from seen where t.listing_id = seen.listing_id`.execute(db)
}

const BATCH_MAX = 50
const WEEK_MS = 7 * 86_400_000

interface Seen {
  readonly listing: string
  readonly session: string | null
  readonly at: Date
}

/** [API 15]: views, maybe days ago. Other or malformed events are ignored. */
export async function track(db: Db, body: unknown, someone: Someone, now: Date) {
  const seen = viewsIn(body, now)
  // [A7] Only the first session of a request counts, so a client cannot multiply its views.
  const visitorSession = sessionOf(
    seen.find((one) => one.session !== null)?.session,
    someone.visitorSession,
  )
  for (const [, group] of Map.groupBy(seen, ({ at }) => at.toISOString().slice(0, 10))) {
    const [first] = group
    if (first === undefined) continue
    await countViews(
      db,
      group.map(({ listing }) => listing),
      { ...someone, visitorSession },
      first.at,
      now,
    )
  }
}

function viewsIn(body: unknown, now: Date): Seen[] {
  const events =
    isMembers(body) && Array.isArray(body['events']) ? body['events'].slice(0, BATCH_MAX) : [body]
  return events.filter(isMembers).flatMap((event) => {
    const { event_type: type, listing_id: listing, session_id: session, ts } = event
    if (
      type !== 'listing_view' ||
      typeof listing !== 'string' ||
      !/^[A-Za-z0-9_-]{1,64}$/.test(listing)
    )
      return []
    return [
      {
        listing,
        session: typeof session === 'string' ? sessionOf(session, null) : null,
        at: momentOf(ts, now),
      },
    ]
  })
}

function momentOf(ts: unknown, now: Date): Date {
  const at = typeof ts === 'string' || typeof ts === 'number' ? new Date(ts) : now
  const age = now.getTime() - at.getTime()
  return age >= 0 && age <= WEEK_MS ? at : now
}

/** Once per viewer, day, category and region [API 8.6]. */
export async function noteSearch(db: Db, query: Query, viewer: string | null, now: Date) {
  if (
    viewer === null ||
    query['ids'] !== undefined ||
    query['changed_since'] !== undefined ||
    query['seller'] !== undefined
  )
    return
  const { filter } = readFilter(query, now.getUTCFullYear())
  const [category = '', region = ''] = [filter.categories[0], filter.regions[0]]
  if (category === '' && region === '') return
  const sign = `${viewer} ${dayOf(now)} ${category} ${region}`
  if (noted.has(sign)) return
  await sql`
    insert into search_signal (viewer, day, category, region, price_min, price_max, at)
    values (${viewer}, ${dayOf(now)}::date, ${category}, ${region}, ${filter.priceMin}, ${filter.priceMax}, ${now})
    on conflict do nothing`.execute(db)
  if (noted.size >= NOTED_MAX) noted.clear()
  noted.add(sign)
}

/** Already written by this process: most requests repeat a search of the day. */
const noted = new Set<string>()
const NOTED_MAX = 20_000
