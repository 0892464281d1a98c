import { type Filter, type Query, readFilter } from '#schema/filter'
import type { Db } from '../../../db/tables.ts'
import { refuse, refuseFields } from '../../../route/index.ts'
import { personBy } from '../../shop/person.ts'
import type { Asked } from './queries.ts'

type RawQuery = Readonly<Record<string, unknown>>

const LISTS = new Set([
  'category',
  'region',
  'town',
  'neighbourhood',
  'condition',
  'exclude',
  'ids',
])

/** Lists are joined by commas, otherwise the last value counts [API 1.1]. */
export function plainQuery(raw: RawQuery): Query {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const texts = [value]
        .flat()
        .filter((one) => one !== undefined && one !== null)
        .map(String)
      if (texts.length === 0) return []
      return [
        [
          name,
          LISTS.has(name) || name.startsWith('spec.') ? texts.join(',') : (texts.at(-1) ?? ''),
        ],
      ]
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
