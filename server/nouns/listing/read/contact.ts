import { sql } from 'kysely'
import type { Row, Tx } from '../../../db/tables.ts'
import { previewUrl } from '../../../files/variants.ts'
import { refuse } from '../../../route/index.ts'
import { tellSeller } from '../change.ts'
import { dayOf } from '../card.ts'
import { requireSight } from './detail.ts'
import { type Someone, viewerOf } from './interest.ts'
import { flagColumns, type ListingFlags, statusOf } from '../status.ts'

type Channel = Row<'listing_contact'>['channel']

type Target = ListingFlags &
  Pick<Row<'listing'>, 'seller_id' | 'title' | 'contact_phone'> & {
    hash: string | null
    blocked: boolean
  }

/** Per listing and day [API 8.9]. */
const VISITORS_NOTIFIED = 5

/** Once per viewer, channel and day. Throws 404 like the detail, 403 for a blocked viewer. */
export async function contact(
  tx: Tx,
  id: string,
  channel: Channel,
  someone: Someone,
  now: Date,
): Promise<string | null> {
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
    select l.seller_id, l.title, l.contact_phone, p.hash, ${flagColumns},
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
  if (!(await shouldNotify(tx, id, viewer, visitor, day))) return
  await sql`update listing_contact set notified = true where listing_id = ${id}
    and viewer = ${viewer} and channel = ${channel} and day = ${day}::date`.execute(tx)
  const image = target.hash === null ? null : previewUrl(target.hash)
  const by = someone.caller?.id ?? null
  tellSeller(tx, { ...target, id, image }, { event: 'listing.phone_viewed' }, now, by)
}

async function shouldNotify(tx: Tx, id: string, viewer: string, visitor: boolean, day: string) {
  // The tally row is locked: two concurrent visitors cannot both be the fifth.
  const { rows } = await sql<{ same: boolean; visitors: number }>`
    select coalesce(bool_or(viewer = ${viewer}), false) as same, count(*) filter (where visitor)::integer as visitors
    from listing_contact where listing_id = ${id} and day = ${day}::date and notified`.execute(tx)
  const row = rows[0]
  return row !== undefined && !row.same && (!visitor || row.visitors < VISITORS_NOTIFIED)
}
