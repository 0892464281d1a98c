import { sql } from 'kysely'
import { type Exchange, shortHash } from '../../../route/index.ts'
import type { Db } from '../../../db/tables.ts'
import { dayOf } from '../card.ts'
import { mayRead } from './feed.ts'

export type Someone = Pick<Exchange, 'caller' | 'visitorSession' | 'address' | 'userAgent'>

const SESSION = /^[A-Za-z0-9_-]{8,64}$/

export function sessionOf(given: string | null | undefined, header: string | null): string | null {
  return given !== null && given !== undefined && SESSION.test(given) ? given : header
}

/** One key per viewer [API 8.4]: user, else session, else a daily hash of address and browser. */
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

/** The key of a viewer recognizable across days; null for others. */
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

/**
 * One view per viewer and day [API 8.4], without the owner, crawlers and invisible listings. `at`
 * is the time of the view, `now` the present.
 */
export async function countViews(
  db: Db,
  listings: readonly string[],
  someone: Someone,
  at: Date,
  now: Date,
): Promise<void> {
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
