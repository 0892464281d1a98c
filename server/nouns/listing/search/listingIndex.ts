import { sql } from 'kysely'
import { pairOf } from '#schema/facets'
import type { Findable } from '#schema/findable'
import type { Aspect, FilterPart } from '#schema/match'
import type { Specs } from '#schema/wire/listing'
import type { Db } from '../../../db/tables.ts'
import { eachWord, searchQuery } from '../derive.ts'
import { type Found, Words } from './invertedIndex.ts'

export interface IndexedListing extends Findable {
  readonly num: number
}

/**
 * All listed listings in memory (about 0.7 KB each), for counts, facets and searches. Columns of
 * codes avoid reading rows scattered in memory. A change appends; the old position stays empty.
 */
export interface ListingIndex {
  /** Catches up with the committed changes: one small query, or all rows the first time. */
  refresh(): Promise<void>
  readonly filled: boolean
  /** Grows with every change of the index. */
  readonly version: number
  readonly size: number
  /** The row at a position; positions are valid for one version. */
  at(place: number): IndexedListing | undefined
  /**
   * Positions of a search, equal to what `searchQuery` finds in the database; some may be empty.
   */
  find(words: readonly string[]): Found
  /**
   * Visits the non-empty positions (all, or those of `places`) with the only facet that fails (''
   * when none does), until `visit` returns false.
   */
  sift(
    parts: readonly FilterPart[],
    now: number,
    places: readonly number[] | null,
    visit: (place: number, failed: string) => boolean,
  ): void
  /** By position: publication times (ms) and prices (NaN: none). */
  readonly posted: Numbers
  readonly prices: Numbers
  /** The code of each position in an aspect, and for each code one listing that has it. */
  codes(aspect: CodedAspect): Codes
}

export type CodedAspect = Exclude<Aspect, 'price' | 'row'>
type Numbers = Readonly<Float64Array>

/** Rows per batch, which takes about 30 ms. */
const BATCH = 2000
const indexes = new WeakMap<Db, ListingIndex>()

export function listingIndexOf(db: Db): ListingIndex {
  const known = indexes.get(db)
  if (known !== undefined) return known
  const index = makeListingIndex(db)
  indexes.set(db, index)
  return index
}

const keys: Record<CodedAspect, (row: IndexedListing) => string> = {
  category: pairOf,
  place: ({ region, town, neighbourhood, location_note }) =>
    `${region}\n${town ?? ''}\n${neighbourhood ?? ''}\n${location_note ?? ''}`,
  mark: (row) =>
    `${row.condition ?? ''}\n${row.negotiable} ${row.images_count > 0} ${row.is_featured} ${row.seller_verified}`,
}

class Column<Kept extends Uint32Array | Float64Array> {
  at: Kept
  private readonly Kind: new (length: number) => Kept

  constructor(Kind: new (length: number) => Kept) {
    this.Kind = Kind
    this.at = new Kind(1024)
  }

  put(place: number, value: number): void {
    if (place >= this.at.length) {
      const wider = new this.Kind(Math.ceil(1.5 * place))
      wider.set(this.at)
      this.at = wider
    }
    this.at[place] = value
  }

  move(from: number, to: number): void {
    this.at[to] = this.at[from] ?? 0
  }
}

/** The distinct values of one aspect, numbered. */
class Codes extends Column<Uint32Array> {
  readonly samples: IndexedListing[] = []
  private readonly numbers = new Map<string, number>()
  private readonly keyOf: (row: IndexedListing) => string

  constructor(keyOf: (row: IndexedListing) => string) {
    super(Uint32Array)
    this.keyOf = keyOf
  }

  add(place: number, row: IndexedListing): void {
    const key = this.keyOf(row)
    const number = this.numbers.get(key) ?? this.samples.push(row) - 1
    this.numbers.set(key, number)
    this.put(place, number)
  }
}

/** End time of an empty position: always past. */
const EMPTY = 0
/** Bit of failed parts that belong to no facet. */
const DEAD = 1

/** Compaction starts above this number of empty positions, when they are also a quarter of all. */
const GAPS = 200

function makeListingIndex(db: Db): ListingIndex {
  const listings: (IndexedListing | undefined)[] = []
  const placeOf = new Map<number, number>()
  const words = new Words()
  const texts = new Map<string, string>()
  const coded = {
    category: new Codes(keys.category),
    place: new Codes(keys.place),
    mark: new Codes(keys.mark),
  }
  const columns = {
    posted: new Column(Float64Array),
    prices: new Column(Float64Array),
    ends: new Column(Float64Array),
  }
  let last: Pick<ChangedRow, 'change' | 'num'> = { change: 0, num: 0 }
  let version = 0
  let filled = false
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function load(): Promise<void> {
    let rows = await changedRows(db, last)
    while (rows.length > 0) {
      last = rows.at(-1) ?? last
      // The next batch is read while this one is applied.
      const more = rows.length < BATCH ? [] : changedRows(db, last)
      for (const row of rows) change(row)
      if (gaps() > GAPS && 4 * gaps() > listings.length) close()
      rows = await more
    }
    filled = true
  }

  const gaps = () => listings.length - placeOf.size

  function change(row: ChangedRow): void {
    version += 1
    remove(row.num)
    if (row.listed) put(indexedOf(row, shared), row)
  }

  /** Interns texts: the database driver creates a new string for each row. */
  function shared<T extends string | null>(text: T): T | string {
    if (text === null) return text
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }

  function put(listing: IndexedListing, { expires_at, search }: ChangedRow): void {
    const place = listings.push(listing) - 1
    placeOf.set(listing.num, place)
    for (const codes of Object.values(coded)) codes.add(place, listing)
    columns.posted.put(place, listing.posted)
    columns.prices.put(place, listing.price ?? Number.NaN)
    columns.ends.put(
      place,
      expires_at === null ? Number.POSITIVE_INFINITY : Math.round(expires_at * 1000),
    )
    eachWord(search ?? '', (word, inTitle) => words.add(place, word, inTitle))
  }

  function remove(num: number): void {
    const place = placeOf.get(num)
    if (place === undefined) return
    placeOf.delete(num)
    listings[place] = undefined
    columns.ends.put(place, EMPTY)
  }

  /** Moves all listings down over the empty positions; their order stays. */
  function close(): void {
    const moved = new Int32Array(listings.length).fill(-1)
    const numbers = [...Object.values(coded), ...Object.values(columns)]
    let end = 0
    for (const [place, listing] of listings.entries()) {
      if (listing === undefined) continue
      moved[place] = end
      listings[end] = listing
      placeOf.set(listing.num, end)
      for (const column of numbers) column.move(place, end)
      end += 1
    }
    listings.length = end
    words.move(moved)
  }

  return {
    get filled() {
      return filled
    },
    get version() {
      return version
    },
    get size() {
      return placeOf.size
    },
    codes: (aspect) => coded[aspect],
    refresh() {
      // A running load may have begun before the caller's own write, so concurrent callers share
      // the next one.
      next ??= running.then(() => {
        next = null
        const loading = load()
        running = loading.catch(() => undefined)
        return loading
      })
      return next
    },
    get posted() {
      return columns.posted.at
    },
    get prices() {
      return columns.prices.at
    },
    at: (place) => listings[place],
    find: (asked) => words.find(asked),
    sift(parts, now, places, visit) {
      const facets = [...new Set(parts.map(({ facet }) => facet ?? ''))].filter(
        (facet) => facet !== '',
      )
      const bitOf = ({ facet }: FilterPart) => (facet === null ? DEAD : 2 << facets.indexOf(facet))
      const nameOf = (mask: number) => (mask === 0 ? '' : (facets[30 - Math.clz32(mask)] ?? ''))
      const judged = (aspect: CodedAspect) => {
        const own = parts.filter(({ reads }) => reads === aspect)
        return Uint32Array.from(coded[aspect].samples, (sample) =>
          own.reduce((mask, part) => (part.matches(sample) ? mask : mask | bitOf(part)), 0),
        )
      }
      const [category, place, mark] = [judged('category'), judged('place'), judged('mark')]
      const priced = parts.find((part) => part.reads === 'price')
      const asked = { price: 0 }
      const priceBit = priced === undefined ? 0 : bitOf(priced)
      const byRow = parts
        .filter(({ reads }) => reads === 'row')
        .map((part) => ({ part, bit: bitOf(part) }))
      const [categoryAt, placeAt, markAt, priceAt, endsAt] = [
        coded.category.at,
        coded.place.at,
        coded.mark.at,
        columns.prices.at,
        columns.ends.at,
      ]
      const end = places === null ? listings.length : places.length
      for (let n = 0; n < end; n += 1) {
        const at = places === null ? n : (places[n] ?? 0)
        let mask =
          (category[categoryAt[at] ?? 0] ?? 0) |
          (place[placeAt[at] ?? 0] ?? 0) |
          (mark[markAt[at] ?? 0] ?? 0)
        if (isLost(mask) || (endsAt[at] ?? EMPTY) <= now) continue
        if (priced !== undefined) {
          asked.price = priceAt[at] ?? Number.NaN
          if (!priced.matches(asked)) mask |= priceBit
        }
        // Rows are scattered in memory, so the row is read only when the coded columns pass.
        if (byRow.length > 0 && !isLost(mask)) {
          const listing = listings[at]
          if (listing !== undefined)
            for (const { part, bit } of byRow) if (!part.matches(listing)) mask |= bit
        }
        if (!isLost(mask) && !visit(at, nameOf(mask))) return
      }
    },
  }
}

/** More than one facet fails, or a part without a facet. */
const isLost = (mask: number): boolean => (mask & DEAD) !== 0 || (mask & (mask - 1)) !== 0

interface ChangedRow extends Row {
  change: number
  listed: boolean
  search: string | null
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
  /** Seconds: parsing dates would add half a second to the first load of half a million rows. */
  posted_at: number | null
  expires_at: number | null
  specs: Specs
}

async function changedRows(
  db: Db,
  { change, num }: Pick<ChangedRow, 'change' | 'num'>,
): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select c.public_change as change, l.listed, case when l.listed then l.search::text end as search, ${columns}
    from listing_change c join listing l on l.id = c.listing_id
    where c.public_change is not null and (c.public_change, c.num) > (${change}::bigint, ${num}::integer)
    order by c.public_change, c.num limit ${BATCH}`.execute(db)
  return rows
}

/** An owner's listings in every state but deleted: few, and not in the index. */
export async function ownListings(
  db: Db,
  sellerId: string,
  words: readonly string[],
): Promise<Findable[]> {
  const found = words.length === 0 ? sql`true` : sql`l.search @@ ${searchQuery(words)}::tsquery`
  const { rows } = await sql<Row>`select ${columns} from listing l where l.seller_id = ${sellerId}
    and l.deleted_at is null and ${found}`.execute(db)
  return rows.map((row) => indexedOf(row, (text) => text))
}

const columns = sql`l.num, l.id, l.seller_id, l.category, l.region, l.town, l.neighbourhood,
  l.location_note, l.price, l.condition, l.negotiable,
  l.images_count, l.is_featured, l.seller_verified, date_part('epoch', l.posted_at) as posted_at,
    date_part('epoch', l.expires_at) as expires_at, l.specs`

/** `shared` interns texts. */
function indexedOf(
  row: Row,
  shared: <T extends string | null>(text: T) => T | string,
): IndexedListing {
  return {
    num: row.num,
    id: row.id,
    seller_id: shared(row.seller_id),
    category: shared(row.category),
    region: shared(row.region),
    town: shared(row.town),
    neighbourhood: shared(row.neighbourhood),
    location_note: row.location_note,
    price: row.price,
    condition: shared(row.condition),
    negotiable: row.negotiable,
    images_count: row.images_count,
    is_featured: row.is_featured,
    seller_verified: row.seller_verified,
    specs: row.specs,
    posted: Math.round((row.posted_at ?? 0) * 1000),
  }
}
