import { isMembers } from '#schema/members'
import { type Query, readFilter } from '#schema/filter'
import { SEARCH_MAX } from '#schema/limits'
import { browseListings } from '#schema/wire/listing'
import { refuseFields, type FieldFault } from '../../route/index.ts'

export type Params = Record<string, string | number | boolean>

const LONGEST = 2000
const NOT_KEPT = new Set(['page', 'page_size', 'seek', 'ids', 'changed_since'])
const NAMES = new Set(
  Object.keys(browseListings.query.entries).filter((name) => !NOT_KEPT.has(name)),
)

/**
 * From an object or a query string [API 10.5]; unknown names and empty values are dropped. Throws
 * 400 on `params.<name>` for each invalid one.
 */
export function readParams(given: unknown, now: Date): Params {
  const raw =
    typeof given === 'string'
      ? Object.fromEntries(new URLSearchParams(given))
      : isMembers(given)
        ? given
        : {}
  const params: Params = {}
  const faults: Record<string, FieldFault[]> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (
      !(NAMES.has(name) || name.startsWith('spec.')) ||
      value === null ||
      value === '' ||
      (name === 'seller' && value === 'me')
    )
      continue
    if (typeof value === 'string' && (name === 'search' || name === 'q'))
      params[name] = Array.from(value).slice(0, SEARCH_MAX).join('')
    else if (
      (typeof value === 'string' && value.length <= LONGEST) ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    )
      params[name] = value
    else faults[`params.${name}`] = [{ code: 'invalid' }]
  }
  for (const { field, code } of readFilter(queryOf(params), now.getUTCFullYear()).problems)
    faults[`params.${field}`] = [{ code }]
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  return params
}

export const queryOf = (params: Params): Query =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

/** A canonical key: independent of the order and types of the parameters. */
export const keyOf = (params: Params): string =>
  JSON.stringify(Object.entries(queryOf(params)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
