import { sql } from 'kysely'
import { pairOf } from '#schema/facets'
import type { Findable } from '#schema/findable'
import type { Aspect, Part } from '#schema/match'
import type { Specs } from '#schema/wire/listing'
import type { Db } from '../../db/tables.ts'
import { searchQuery } from './derive.ts'

/** A listing of the shelf: what filters ask, and when its time is over (ms). */
export interface Shelved extends Findable {
  readonly num: number
  readonly ends: number
}

/**
 * Every listed listing of a database in this process's memory (about 0.5 KB each), for what would ask the database for
 * all its rows: counts and facets. Category and type, place, and condition with flags are kept as numbers of the few
 * values there are, so that a filter judges each value once and each listing with three look-ups.
 */
export interface Shelf {
  /** Brings it up to what is committed now: one small query, or all rows the first time. */
  refresh(): Promise<void>
  /** Whether it was ever filled. */
  readonly filled: boolean
  /** Grows whenever something on the shelf changed. */
  readonly version: number
  readonly listings: readonly Shelved[]
  /** Calls `visit` with the index in `listings` and the facet whose parts alone fail ('' when none do), until it answers false. */
  sift(parts: readonly Part[], now: number, nums: readonly number[] | null, visit: (at: number, failed: string) => boolean): void
  /** The number of a listing's value in an aspect, and for each number a listing that has it. */
  codes(aspect: CodedAspect): Codes
}

export type CodedAspect = Exclude<Aspect, 'row'>

const BATCH = 5000
const shelves = new WeakMap<Db, Shelf>()

/** The shelf of this database, made at its first use. */
export function shelfOf(db: Db): Shelf {
  const known = shelves.get(db)
  if (known !== undefined) return known
  const shelf = makeShelf(db)
  shelves.set(db, shelf)
  return shelf
}

const keys: Record<CodedAspect, (row: Shelved) => string> = {
  shelf: pairOf,
  place: ({ region, town, neighbourhood, location_note }) => `${region}\n${town ?? ''}\n${neighbourhood ?? ''}\n${location_note ?? ''}`,
  mark: (row) => `${row.condition ?? ''}\n${row.negotiable} ${row.images_count > 0} ${row.is_featured} ${row.seller_verified}`,
}

/** The values of one aspect, numbered. */
class Codes {
  /** By the place of a listing. */
  at = new Uint32Array(1024)
  readonly samples: Shelved[] = []
  private readonly numbers = new Map<string, number>()
  private readonly keyOf: (row: Shelved) => string

  constructor(keyOf: (row: Shelved) => string) {
    this.keyOf = keyOf
  }

  put(place: number, row: Shelved): void {
    if (place >= this.at.length) {
      const wider = new Uint32Array(2 * this.at.length)
      wider.set(this.at)
      this.at = wider
    }
    const key = this.keyOf(row)
    const number = this.numbers.get(key) ?? this.samples.push(row) - 1
    this.numbers.set(key, number)
    this.at[place] = number
  }
}

/** Bits of what fails: this one for parts that belong to no facet. */
const DEAD = 1

function makeShelf(db: Db): Shelf {
  const listings: Shelved[] = []
  const placeOf = new Map<number, number>()
  const changes = new Map<number, string>()
  const coded = { shelf: new Codes(keys.shelf), place: new Codes(keys.place), mark: new Codes(keys.mark) }
  /** All transactions before this one are on the shelf; later rows are read again, since some may still have been open. */
  let safe = '0'
  let version = 0
  let filled = false
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function load(): Promise<void> {
    let rows = await changedRows(db, { xid: safe, revision: -1 })
    const xmin = rows[0]?.xmin ?? safe
    for (let last = take(rows); last !== null; last = take(rows)) rows = await changedRows(db, last)
    safe = xmin
    filled = true
  }

  /** The last of a full batch, behind which there may be more. */
  function take(rows: readonly ChangedRow[]): ChangedRow | null {
    for (const row of rows) change(row)
    return rows.length < BATCH ? null : (rows.at(-1) ?? null)
  }

  function change(row: ChangedRow): void {
    const sign = `${row.xid}.${row.revision}`
    if (changes.get(row.num) === sign) return
    changes.set(row.num, sign)
    version += 1
    if (row.listed) put(shelved(row), placeOf.get(row.num) ?? listings.length)
    else remove(row.num)
  }

  function put(listing: Shelved, place: number): void {
    listings[place] = listing
    placeOf.set(listing.num, place)
    for (const codes of Object.values(coded)) codes.put(place, listing)
  }

  /** The last one takes the place of the one that goes. */
  function remove(num: number): void {
    const place = placeOf.get(num)
    if (place === undefined) return
    placeOf.delete(num)
    const last = listings.pop()
    if (last !== undefined && last.num !== num) put(last, place)
  }

  return {
    listings,
    get filled() {
      return filled
    },
    get version() {
      return version
    },
    codes: (aspect) => coded[aspect],
    refresh() {
      // one that already runs may have begun before the caller's own write: all who come meanwhile share the next
      next ??= running.then(() => {
        next = null
        const loading = load()
        running = loading.catch(() => undefined)
        return loading
      })
      return next
    },
    sift(parts, now, nums, visit) {
      const facets = [...new Set(parts.map(({ facet }) => facet ?? ''))].filter((facet) => facet !== '')
      const bitOf = ({ facet }: Part) => (facet === null ? DEAD : 2 << facets.indexOf(facet))
      const nameOf = (mask: number) => (mask === 0 ? '' : (facets[30 - Math.clz32(mask)] ?? ''))
      const judged = (aspect: CodedAspect) => {
        const own = parts.filter(({ reads }) => reads === aspect)
        return Uint32Array.from(coded[aspect].samples, (sample) => own.reduce((mask, part) => (part.holds(sample) ? mask : mask | bitOf(part)), 0))
      }
      const [shelf, place, mark] = [judged('shelf'), judged('place'), judged('mark')]
      const rest = parts.filter(({ reads }) => reads === 'row').map((part) => ({ part, bit: bitOf(part) }))
      const [shelfAt, placeAt, markAt] = [coded.shelf.at, coded.place.at, coded.mark.at]
      const end = nums === null ? listings.length : nums.length
      for (let n = 0; n < end; n += 1) {
        const at = nums === null ? n : (placeOf.get(nums[n] ?? -1) ?? -1)
        let mask = (shelf[shelfAt[at] ?? 0] ?? 0) | (place[placeAt[at] ?? 0] ?? 0) | (mark[markAt[at] ?? 0] ?? 0)
        // the row itself lies anywhere in memory: it is looked at only when the numbers let it live
        if (isLost(mask)) continue
        const listing = listings[at]
        if (listing === undefined || listing.ends <= now) continue
        for (const { part, bit } of rest) {
          if (isLost(mask)) break
          if (!part.holds(listing)) mask |= bit
        }
        if (!isLost(mask) && !visit(at, nameOf(mask))) return
      }
    },
  }
}

/** More than one facet fails, or something that is none. */
const isLost = (mask: number): boolean => (mask & DEAD) !== 0 || (mask & (mask - 1)) !== 0

interface ChangedRow extends Row {
  xid: string
  revision: number
  xmin: string
  listed: boolean
}

interface Row {
  num: number
  id: string
  seller_id: string
  category: string
  region: string
  town: string | null
  neighbourhood: string | null
  location_note: string | null
  price: number | null
  condition: string | null
  negotiable: boolean
  images_count: number
  is_featured: boolean
  seller_verified: boolean
  posted_at: Date | null
  expires_at: Date | null
  specs: Specs
}

async function changedRows(db: Db, { xid, revision }: Pick<ChangedRow, 'xid' | 'revision'>): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, public_xid::text as xid, public_revision as revision, listed, ${columns}
    from listing where public_xid is not null and (public_xid, public_revision) > (${xid}::xid8, ${revision}::bigint)
    order by public_xid, public_revision limit ${BATCH}`.execute(db)
  return rows
}

/** An owner's listings in every state but deleted: few, and not on the shelf. */
export async function ownListings(db: Db, sellerId: string, words: readonly string[]): Promise<Findable[]> {
  const found = words.length === 0 ? sql`true` : sql`search @@ ${searchQuery(words)}::tsquery`
  const { rows } = await sql<Row>`select ${columns} from listing where seller_id = ${sellerId} and deleted_at is null and ${found}`.execute(db)
  return rows.map(shelved)
}

const columns = sql`num, id, seller_id, category, region, town, neighbourhood, location_note, price, condition, negotiable, images_count, is_featured,
  seller_verified, posted_at, expires_at, specs`

function shelved(row: Row): Shelved {
  return {
    num: row.num,
    id: row.id,
    seller_id: row.seller_id,
    category: row.category,
    region: row.region,
    town: row.town,
    neighbourhood: row.neighbourhood,
    location_note: row.location_note,
    price: row.price,
    condition: row.condition,
    negotiable: row.negotiable,
    images_count: row.images_count,
    is_featured: row.is_featured,
    seller_verified: row.seller_verified,
    specs: row.specs,
    posted: row.posted_at?.getTime() ?? 0,
    ends: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}
