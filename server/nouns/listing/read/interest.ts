import { sql } from 'kysely'
import { type Exchange, shortHash, refuse } from '../../../route/index.ts'
import type { Db, Row, Tx } from '../../../db/tables.ts'
import { columnsOf } from '../../../db/sql.ts'
import { dayOf } from '../card.ts'
import { mayRead } from './feed.ts'
import { isMembers } from '#schema/members'
import { type Query, readFilter } from '#schema/filter'
import { previewUrl } from '../../../files/variants.ts'
import { tellSeller } from '../change.ts'
import { requireSight } from './detail.ts'
import { FLAGS, type ListingFlags, statusOf } from '../status.ts'

export type Someone = Pick<Exchange, 'caller' | 'visitorSession' | 'address' | 'userAgent'>

const SESSION = /^[A-Za-z0-9_-]{8,64}$/

export function sessionOf(given: string | null | undefined, header: string | null) {
  return given !== null && given !== undefined && SESSION.test(given) ? given : header
}

/** User, else session, else a daily hash of address and browser [API 8.4]. */
async function viewerOf(
  db: Db,
  { caller, visitorSession, address, userAgent }: Someone,
  now: Date,
) {
  const known = knownViewer(caller, visitorSession)
  if (known !== null) return known
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'viewer_salt')
    .executeTakeFirst()
  return `h:${shortHash(`${row?.value ?? ''}\n${dayOf(now)}\n${address}\n${userAgent}`)}`
}

/** Across days; null for others. */
export function knownViewer(user: { id: string } | null, session: string | null) {
  if (user !== null) return `u:${user.id}`
  return session === null ? null : `s:${session}`
}

const CRAWLER = new RegExp(
  [
    String.raw`bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp\/|telegram`,
    'embedly|headlesschrome-lighthouse|pingdom|uptime',
  ].join('|'),
  'i',
)

/** Once per viewer and day [API 8.4]. `at` is the time of the view, `now` the present. */
export async function countViews(
  db: Db,
  listings: readonly string[],
  someone: Someone,
  at: Date,
  now: Date,
) {
  if (CRAWLER.test(someone.userAgent) || listings.length === 0) return
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

/** [API 15]: views, maybe days ago. Other or malformed events are ignored. */
export async function track(db: Db, body: unknown, someone: Someone, now: Date) {
  const seen = viewsIn(body, now)
  // [A7] Only the first session of a request counts, so a client cannot multiply its views.
  const given = seen.find((one) => one.session !== null)?.session
  const visitorSession = sessionOf(given, someone.visitorSession)
  for (const [, group] of Map.groupBy(seen, ({ at }) => at.toISOString().slice(0, 10))) {
    const [first] = group
    if (first === undefined) continue
    const listings = group.map(({ listing }) => listing)
    await countViews(db, listings, { ...someone, visitorSession }, first.at, now)
  }
}

function viewsIn(body: unknown, now: Date) {
  const events =
    isMembers(body) && Array.isArray(body['events']) ? body['events'].slice(0, BATCH_MAX) : [body]
  return events.filter(isMembers).flatMap((event) => {
    const { event_type: type, listing_id: listing, session_id: session, ts } = event
    const isView = type === 'listing_view' && typeof listing === 'string'
    if (!isView || !/^[A-Za-z0-9_-]{1,64}$/.test(listing)) return []
    const known = typeof session === 'string' ? sessionOf(session, null) : null
    return [{ listing, session: known, at: momentOf(ts, now) }]
  })
}

function momentOf(ts: unknown, now: Date) {
  const at = typeof ts === 'string' || typeof ts === 'number' ? new Date(ts) : now
  const age = now.getTime() - at.getTime()
  return age >= 0 && age <= WEEK_MS ? at : now
}

/** Once per viewer, day, category and region [API 8.6]. */
export async function noteSearch(db: Db, query: Query, viewer: string | null, now: Date) {
  if (viewer === null || OTHER_LISTS.some((name) => query[name] !== undefined)) return
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

const OTHER_LISTS = ['ids', 'changed_since', 'seller']

/** Already written by this process: most requests repeat a search of the day. */
const noted = new Set<string>()
const NOTED_MAX = 20_000

type Channel = Row<'listing_contact'>['channel']

type Target = ListingFlags &
  Pick<Row<'listing'>, 'seller_id' | 'title' | 'contact_phone'> & {
    hash: string | null
    blocked: boolean
  }

/** Per listing and day [API 8.9]. */
const VISITORS_NOTIFIED = 5

/** Once per viewer, channel and day. Throws 404 like the detail, 403 for a blocked viewer. */
export async function contact(tx: Tx, id: string, channel: Channel, someone: Someone, now: Date) {
  const me = someone.caller?.id ?? null
  const target = await targetOf(tx, id, me)
  if (target === undefined) throw refuse('listing_not_found')
  requireSight(statusOf(target, now), target.seller_id === me, false)
  if (target.blocked) throw refuse('cannot_message_user')
  if (target.seller_id !== me) await record(tx, id, channel, someone, target, now)
  return channel === 'message' ? null : target.contact_phone
}

async function targetOf(tx: Tx, id: string, me: string | null) {
  const { rows } = await sql<Target>`
    select l.seller_id, l.title, l.contact_phone, p.hash, ${columnsOf('l', FLAGS)},
      exists (select from block b where b.blocker_id = l.seller_id and b.blocked_id = ${me}) as blocked
    from listing l left join picture p on p.id = l.cover_id and p.removed_at is null where l.id = ${id}`.execute(
    tx,
  )
  return rows[0]
}

async function record(
  tx: Tx,
  id: string,
  channel: Channel,
  someone: Someone,
  target: Target,
  now: Date,
) {
  const day = dayOf(now)
  const viewer = await viewerOf(tx, someone, now)
  const visitor = someone.caller === null
  const { rows } = await sql<{ listing_id: string }>`
    with new as (
      insert into listing_contact (listing_id, viewer, channel, day, at, visitor)
      values (${id}, ${viewer}, ${channel}, ${day}::date, ${now}, ${visitor})
      on conflict do nothing returning listing_id
    )
    update listing_tally t set contacts_total = t.contacts_total + 1 from new
      where t.listing_id = new.listing_id returning t.listing_id`.execute(tx)
  if (rows.length === 0 || channel === 'message') return
  // The tally row is locked: two concurrent visitors cannot both be the fifth.
  const notified = sql`listing_contact n
    where n.listing_id = ${id} and n.day = ${day}::date and n.notified`
  const { numAffectedRows = 0n } = await sql`
    update listing_contact set notified = true
    where listing_id = ${id} and viewer = ${viewer} and channel = ${channel} and day = ${day}::date
      and not exists (select from ${notified} and n.viewer = ${viewer})
      and (not visitor
        or (select count(*) from ${notified} and n.visitor) < ${VISITORS_NOTIFIED})`.execute(tx)
  if (numAffectedRows === 0n) return
  const image = target.hash === null ? null : previewUrl(target.hash)
  const by = someone.caller?.id ?? null
  tellSeller(tx, { ...target, id, image }, { event: 'listing.phone_viewed' }, now, by)
}
