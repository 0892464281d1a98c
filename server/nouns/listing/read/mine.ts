import { sql, type RawBuilder } from 'kysely'
import type { Filter } from '#schema/filter'
import type { ListingStatus } from '#schema/wire/listing'
import type { OwnTotals } from '#schema/wire/own'
import type { Language } from '#schema/wire/shapes'
import { countOf } from '../../../db/count.ts'
import { pick } from '#schema/pick'
import type { Db, Row } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { cardsOf, dayOf, type View } from '../card.ts'
import { orderByKeys, sortOrderOf, selectKeys } from '../search/sort.ts'
import { reasonIn } from '../moderation/moderation.ts'
import { statusIn } from '../status.ts'

/** `active` means not archived. */
export type Shown = 'all' | Exclude<ListingStatus, 'deleted'>

type OwnRow = Pick<
  Row<'listing'>,
  'featured_until' | 'review_reason' | 'sold_at' | 'version' | 'client_id' | 'created_at'
> &
  Pick<Row<'listing_tally'>, 'contacts_total' | 'favorites_count'> & { unread_messages: number }

const columns = sql<OwnRow>`l.featured_until, l.review_reason, l.sold_at, l.version, l.client_id, l.created_at,
  coalesce(t.contacts_total, 0) as contacts_total, coalesce(t.favorites_count, 0) as favorites_count,
  (select coalesce(sum(p.unread), 0)::integer from conversation c
    join participant p on p.conversation_id = c.id and p.user_id = l.seller_id
    where c.listing_id = l.id) as unread_messages`

export async function ownListings(
  db: Db,
  me: string,
  shown: Shown,
  filter: Filter,
  page: Page,
  view: View,
) {
  const which = sql`l.seller_id = ${me} and l.deleted_at is null and ${inStatus(shown, view.now)}`
  const order = sortOrderOf(filter, true)
  const keys = sql`select l.id, ${selectKeys(order)} from listing l ${order.join} where ${which}
    order by ${orderByKeys(order)} limit ${page.size} offset ${page.offset}`
  const found = await cardsOf(db, keys, view, columns)
  return {
    count: await countOf(db, sql`listing l where ${which}`),
    rows: found.map(({ card, row }) => ({ ...card, ...ownOf(row, view.language) })),
  }
}

function ownOf(row: OwnRow & { expires_at: Date | null }, language: Language) {
  return {
    expires_at: row.expires_at?.toISOString() ?? null,
    featured_until: row.featured_until?.toISOString() ?? null,
    review_reason: reasonIn(row.review_reason, language),
    sold_at: row.sold_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...pick(row, ['version', 'client_id', 'contacts_total', 'favorites_count', 'unread_messages']),
  }
}

const inStatus = (shown: Shown, now: Date): RawBuilder<unknown> =>
  shown === 'all'
    ? sql`true`
    : shown === 'active'
      ? sql`not l.is_archived`
      : sql`${statusIn(now)} = ${shown}`

/** [API 9.7]; `active` counts reserved ones too. */
export async function totalsOf(db: Db, me: string, now: Date): Promise<OwnTotals> {
  const n = (...among: ListingStatus[]) =>
    sql`count(*) filter (where ${statusIn(now)} = any(${among}))::integer`
  const { rows } = await sql<OwnTotals>`
    select count(*)::integer as all, ${n('active', 'reserved')} as active, ${n('archived')} as archived,
      ${n('pending')} as pending, ${n('sold')} as sold,
      coalesce(sum(t.views_total), 0)::integer as views_total,
      coalesce(sum(t.views_today) filter (where t.views_day = ${dayOf(now)}::date), 0)::integer as views_today,
      coalesce(sum(t.contacts_total), 0)::integer as contacts_total
    from listing l left join listing_tally t on t.listing_id = l.id where l.seller_id = ${me}
      and l.deleted_at is null`.execute(db)
  const totals = rows[0]
  if (totals === undefined) throw new Error('the database answered nothing')
  return totals
}
