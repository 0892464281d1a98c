import { sql } from 'kysely'
import { countFacets } from '#schema/facets'
import type { Query } from '#schema/filter'
import type { Findable } from '#schema/findable'
import { partsOf } from '#schema/match'
import type { Facets } from '#schema/wire/listing'
import type { Db } from '../../db/tables.ts'
import type { Asked } from './browse.ts'
import type { View } from './card.ts'
import { searchQuery } from './derive.ts'
import { askedOf, filterOf } from './query.ts'
import { ownListings, shelfOf, type Shelf } from './shelf.ts'
import { visible } from './where.ts'

const KEPT_MS = 15_000
const KEPT_ENTRIES = 500

interface Kept {
  readonly facets: Facets
  readonly version: number
  readonly at: number
}
const kept = new WeakMap<Shelf, Map<string, Kept>>()

/** API.md 8.3, exact: counted over the shelf in memory, words found by the database. */
export async function readFacets(db: Db, query: Query, view: View): Promise<Facets> {
  const filter = filterOf(query, view.now)
  const asked = await askedOf(db, filter, view.me)
  const shelf = shelfOf(db)
  await shelf.refresh()
  const answers = kept.get(shelf) ?? new Map<string, Kept>()
  kept.set(shelf, answers)
  const key = JSON.stringify([view.language, filter, asked, view.now.getUTCFullYear()])
  const known = answers.get(key)
  if (known !== undefined && known.version === shelf.version && Math.abs(view.now.getTime() - known.at) < KEPT_MS) return known.facets
  const version = shelf.version
  const listings = asked === null ? [] : await candidates(db, shelf, asked, view.now)
  const facets = countFacets(listings, filter, partsOf(filter, view.now.getTime(), asked?.sellerId ?? null), view.language, view.now.getUTCFullYear())
  if (answers.size >= KEPT_ENTRIES) answers.clear()
  answers.set(key, { facets, version, at: view.now.getTime() })
  return facets
}

async function candidates(db: Db, shelf: Shelf, asked: Asked, now: Date): Promise<Iterable<Findable>> {
  const { words } = asked.filter
  if (asked.scope === 'own' && asked.sellerId !== null) return ownListings(db, asked.sellerId, words)
  return current(shelf, words.length === 0 ? null : await numsFound(db, words, now), now.getTime())
}

function* current({ listings }: Shelf, nums: readonly number[] | null, now: number): Generator<Findable> {
  if (nums === null) {
    for (const listing of listings.values()) if (listing.ends > now) yield listing
    return
  }
  for (const num of nums) {
    const listing = listings.get(num)
    if (listing !== undefined && listing.ends > now) yield listing
  }
}

/** One text for all numbers: as rows they would cost more than the search. */
async function numsFound(db: Db, words: readonly string[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ nums: string | null }>`
    select string_agg(l.num::text, ',') as nums from listing l where ${visible(now)} and l.search @@ ${searchQuery(words)}::tsquery`.execute(db)
  const nums = rows[0]?.nums ?? null
  return nums === null ? [] : nums.split(',').map(Number)
}
