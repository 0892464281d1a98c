import { sql, type RawBuilder } from 'kysely'
import type { ListingCard } from '#schema/wire/listing'
import type { Db } from '../../db/tables.ts'
import type { Page } from '../../http/pages.ts'
import { cardsOf, type View } from './card.ts'
import { behind, orderByKeys, type Order, type Place, placeOf, selectKeys } from './order.ts'
import { branchesOf, conditionsOf, visible, type Wanted } from './where.ts'

/** Whose list it is: everybody's, what a shop has sold, or the owner's own in every state but deleted. */
export type Scope = 'public' | 'sold' | 'own'

export interface Asked extends Wanted {
  readonly scope: Scope
  /** The caller, or null for a visitor. */
  readonly me: string | null
}

export interface Found {
  readonly cards: readonly ListingCard[]
  /** Behind the last row there are more. */
  readonly more: boolean
  /** Where the next page begins, in a seekable order. */
  readonly place: Place | null
  readonly moment: Moment
}

/** What the database knew when it answered. */
export interface Moment {
  /** The last public change before any transaction that was still open (`xid.revision`): a delta read from here misses nothing. */
  readonly position: string
  /** Grows with every change of any listing. */
  readonly stamp: number
}

const momentColumns = sql<MomentRow>`(select public_xid::text || '.' || public_revision from listing
    where public_xid is not null and public_xid < pg_snapshot_xmin(pg_current_snapshot())
    order by public_xid desc, public_revision desc limit 1) as position,
  (select last_value from listing_revision) as stamp`

export async function momentOf(db: Db): Promise<Moment> {
  const { rows } = await sql<MomentRow>`select ${momentColumns}`.execute(db)
  return momentIn(rows[0])
}

interface MomentRow {
  position: string | null
  stamp: number
}
const momentIn = (row: MomentRow | undefined): Moment => ({ position: row?.position ?? '0.0', stamp: row?.stamp ?? 0 })

/**
 * One page of a list, in one query. Each branch of the filter is read in order from an index as far as the page reaches,
 * and the branches are merged. `from` is where the page before ended; without it the page is found by its number.
 */
export async function pageOfListings(db: Db, asked: Asked, order: Order, page: Page, from: Place | null, view: View): Promise<Found> {
  const conditions = [inScope(asked, view.now), ...conditionsOf(asked, view.now), ...(from === null ? [] : [behind(order, from)])]
  const offset = from === null ? page.offset : 0
  const reach = offset + page.size + 1
  const branch = (only: RawBuilder<unknown>) => sql`(select l.id, ${selectKeys(order)} from listing l ${order.join}
    where ${sql.join([...conditions, only], sql` and `)} order by ${orderByKeys(order)} limit ${reach})`
  const keys = sql`select * from (${sql.join(branchesOf(asked).map(branch), sql` union all `)}) as merged
    order by ${orderByKeys(order)} limit ${page.size + 1} offset ${offset}`
  const found = await cardsOf(db, keys, view, momentColumns)
  const shown = found.slice(0, page.size)
  const last = shown.at(-1)
  return {
    cards: shown.map(({ card }) => card),
    more: found.length > page.size,
    place: last === undefined || !order.seekable ? null : placeOf(order, last.row),
    moment: found[0] === undefined ? await momentOf(db) : momentIn(found[0].row),
  }
}

/** What may be seen at all. */
export function inScope({ scope }: Pick<Asked, 'scope'>, now: Date): RawBuilder<unknown> {
  switch (scope) {
    case 'public':
      return visible(now)
    case 'sold':
      return sql`l.readable and l.is_sold`
    case 'own':
      return sql`l.deleted_at is null`
  }
}
