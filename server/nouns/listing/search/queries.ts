import { sql, type RawBuilder } from 'kysely'
import { type Filter, type Query, readFilter } from '#schema/filter'
import { plannedOnce } from '../../../db/postgres.ts'
import type { Db } from '../../../db/tables.ts'
import { refuse, refuseFields } from '../../../route/index.ts'
import { personBy } from '../../shop/person.ts'
import { visible, type Wanted } from './where.ts'

export interface Asked extends Wanted {
  /** Public, sold by a shop, or the owner's own in every state but deleted. */
  readonly scope: 'public' | 'sold' | 'own'
  readonly me: string | null
}

const isList = (name: string) =>
  /^(category|region|town|neighbourhood|condition|exclude|ids|spec\..*)$/.test(name)

/** Lists are joined by commas, otherwise the last value counts [API 1.1]. */
export function plainQuery(raw: Readonly<Record<string, unknown>>): Query {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const texts = [value]
        .flat()
        .filter((one) => one !== undefined && one !== null)
        .map(String)
      return texts.length === 0 ? [] : [[name, isList(name) ? texts.join() : texts.at(-1)]]
    }),
  )
}

/** Throws 400 with every invalid parameter. */
export function filterOf(query: Query, now: Date): Filter {
  const { filter, problems } = readFilter(query, now.getUTCFullYear())
  if (problems.length > 0)
    throw refuseFields(Object.fromEntries(problems.map(({ field, code }) => [field, [{ code }]])))
  return filter
}

/** null: no such seller. `me` requires a signed-in caller [API 8.2]. */
export async function askedOf(db: Db, filter: Filter, me: string | null): Promise<Asked | null> {
  const { seller } = filter
  if (seller === null) return { filter, sellerId: null, scope: 'public', me }
  if (seller === 'me') {
    if (me === null) throw refuse('not_authenticated')
    return { filter, sellerId: me, scope: 'own', me }
  }
  const id = await personBy(db, seller)
  return id === null ? null : { filter, sellerId: id, scope: 'public', me }
}

export interface Moment {
  /** The last public change, as `change-num`. */
  readonly position: string
  /** Number of the last commit that changed a listing. */
  readonly commit: number
}

export const NEVER: Moment = { position: '0-0', commit: 0 }

export const momentColumns = sql<Moment>`coalesce((select public_change || '-' || num from listing_change
    where public_change is not null order by public_change desc, num desc limit 1), '0-0') as position,
  coalesce((select last from listing_counter), 0) as commit`

export async function momentOf(db: Db): Promise<Moment> {
  const { rows } = await sql<Moment>`${plannedOnce}select ${momentColumns}`.execute(db)
  return rows[0] ?? NEVER
}

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
