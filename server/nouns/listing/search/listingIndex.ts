import { sql } from 'kysely'
import { pairOf } from '#schema/facets'
import { type Findable, findableNames } from '#schema/findable'
import { filterPartsOf, type Aspect, type FilterPart } from '#schema/match'
import type { Vocabulary } from '#schema/spelling'
import { isCategoryWord } from '#schema/suggestSearches'
import type { Language } from '#schema/wire/shapes'
import { columnsOf } from '../../../db/columns.ts'
import type { Db, Row } from '../../../db/tables.ts'
import { eachWord, searchQuery } from '../derive.ts'
import { type Found, InvertedIndex } from './invertedIndex.ts'
import type { Wanted } from './where.ts'

export interface IndexedListing extends Findable {
  readonly num: number
}

export type CodedAspect = Exclude<Aspect, 'price' | 'row'>

/** Rows per batch, which takes about 30 ms. */
const BATCH = 2000
const indexes = new WeakMap<Db, ListingIndex>()

export function listingIndexOf(db: Db): ListingIndex {
  const known = indexes.get(db)
  if (known !== undefined) return known
  const index = new ListingIndex(db)
  indexes.set(db, index)
  return index
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

/** Always past. */
const EMPTY = 0
/** Bit of the parts that belong to no facet. */
const DEAD = 1

/** Compaction starts above this number, when they are also a quarter of all. */
const GAPS = 200

/**
 * All listed listings (about 0.7 KB each), for counts, facets and searches. Coded columns avoid
 * reading scattered rows. A change appends; the old position stays empty.
 */
export class ListingIndex {
  filled = false
  /** Grows with every change; positions are valid for one version. */
  version = 0
  readonly #db: Db
  readonly #listings: (IndexedListing | undefined)[] = []
  readonly #placeOf = new Map<number, number>()
  readonly #words = new InvertedIndex()
  readonly #texts = new Map<string, string>()
  readonly #coded = {
    category: new Codes(pairOf),
    place: new Codes(
      ({ region, town, neighbourhood, location_note }) =>
        `${region}\n${town ?? ''}\n${neighbourhood ?? ''}\n${location_note ?? ''}`,
    ),
    mark: new Codes(
      (row) =>
        `${row.condition ?? ''}\n${row.negotiable} ${row.images_count > 0} ${row.is_featured} ${row.seller_verified}`,
    ),
  }
  readonly #columns = {
    posted: new Column(Float64Array),
    prices: new Column(Float64Array),
    ends: new Column(Float64Array),
  }
  #last: Pick<ChangedRow, 'change' | 'num'> = { change: 0, num: 0 }
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(db: Db) {
    this.#db = db
  }

  get size(): number {
    return this.#placeOf.size
  }

  /** ms. */
  get posted(): Float64Array {
    return this.#columns.posted.at
  }

  /** NaN: none. */
  get prices(): Float64Array {
    return this.#columns.prices.at
  }

  at(place: number): IndexedListing | undefined {
    return this.#listings[place]
  }

  /** Equal to what `searchQuery` finds; some may be empty. */
  find(words: readonly string[]): Found {
    return this.#words.find(words)
  }

  /** Of titles and names of categories. */
  vocabulary(language: Language): Vocabulary {
    return {
      words: [...this.#words.words()],
      count: (word) => this.#words.count(word, !isCategoryWord(word, language)),
    }
  }

  /** By position, with one listing for each code. */
  codes(aspect: CodedAspect): Codes {
    return this.#coded[aspect]
  }

  /** One small query, or all rows the first time. */
  refresh(): Promise<void> {
    // A running load may miss the caller's own write, so callers share the next one.
    this.#next ??= this.#running.then(() => {
      this.#next = null
      const loading = this.#load()
      this.#running = loading.catch(() => undefined)
      return loading
    })
    return this.#next
  }

  async #load(): Promise<void> {
    let rows = await changedRows(this.#db, this.#last)
    while (rows.length > 0) {
      this.#last = rows.at(-1) ?? this.#last
      const more = rows.length < BATCH ? [] : changedRows(this.#db, this.#last)
      for (const row of rows) this.#change(row)
      const gaps = this.#listings.length - this.size
      if (gaps > GAPS && 4 * gaps > this.#listings.length) this.#close()
      rows = await more
    }
    this.filled = true
  }

  #change(row: ChangedRow): void {
    this.version += 1
    this.#remove(row.num)
    if (row.listed)
      this.#put(
        indexedOf(row, (text) => this.#shared(text)),
        row,
      )
  }

  /** The driver creates a new string for each row. */
  #shared<T extends string | null>(text: T): T | string {
    if (text === null) return text
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  #put(listing: IndexedListing, { expires_at, search }: ChangedRow): void {
    const place = this.#listings.push(listing) - 1
    this.#placeOf.set(listing.num, place)
    for (const codes of Object.values(this.#coded)) codes.add(place, listing)
    const { posted, prices, ends } = this.#columns
    posted.put(place, listing.posted)
    prices.put(place, listing.price ?? Number.NaN)
    ends.put(place, expires_at === null ? Number.POSITIVE_INFINITY : Math.round(expires_at * 1000))
    eachWord(search ?? '', (word, inTitle) => this.#words.add(place, word, inTitle))
  }

  #remove(num: number): void {
    const place = this.#placeOf.get(num)
    if (place === undefined) return
    this.#placeOf.delete(num)
    this.#listings[place] = undefined
    this.#columns.ends.put(place, EMPTY)
  }

  /** Over the empty positions; the order stays. */
  #close(): void {
    const listings = this.#listings
    const moved = new Int32Array(listings.length).fill(-1)
    const numbers = [...Object.values(this.#coded), ...Object.values(this.#columns)]
    let end = 0
    for (const [place, listing] of listings.entries()) {
      if (listing === undefined) continue
      moved[place] = end
      listings[end] = listing
      this.#placeOf.set(listing.num, end)
      for (const column of numbers) column.move(place, end)
      end += 1
    }
    listings.length = end
    this.#words.move(moved)
  }

  /** Visits the listings that match all of a filter but its search, until `visit` returns false. */
  match(
    { filter, sellerId }: Wanted,
    now: Date,
    places: readonly number[] | null,
    visit: (place: number) => boolean,
  ): void {
    const parts = filterPartsOf(filter, now.getTime(), sellerId)
    const noFacets = parts.map((part) => ({ ...part, facet: undefined }))
    this.sift(noFacets, now.getTime(), places, visit)
  }

  /**
   * Visits non-empty positions (null: all) with the only facet that fails ('': none), until `visit`
   * returns false.
   */
  sift(
    parts: readonly FilterPart[],
    now: number,
    places: readonly number[] | null,
    visit: (place: number, failed: string) => boolean,
  ): void {
    const [coded, columns, listings] = [this.#coded, this.#columns, this.#listings]
    const facets = [...new Set(parts.flatMap(({ facet }) => facet ?? []))]
    const bitOf = ({ facet }: FilterPart) =>
      facet === undefined ? DEAD : 2 << facets.indexOf(facet)
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
      // Rows are scattered in memory: read only when the columns pass.
      if (byRow.length > 0 && !isLost(mask)) {
        const listing = listings[at]
        if (listing !== undefined)
          for (const { part, bit } of byRow) if (!part.matches(listing)) mask |= bit
      }
      if (!isLost(mask) && !visit(at, nameOf(mask))) return
    }
  }
}

const isLost = (mask: number) => (mask & DEAD) !== 0 || (mask & (mask - 1)) !== 0

const INDEXED = [...findableNames, 'num', 'seller_verified', 'specs'] as const

type ReadRow = Pick<Row<'listing'>, (typeof INDEXED)[number]> & {
  /** Seconds: parsing dates would add half a second to half a million rows. */
  posted_at: number | null
  expires_at: number | null
}

type ChangedRow = ReadRow & { change: number; listed: boolean; search: string | null }

async function changedRows(db: Db, { change, num }: Pick<ChangedRow, 'change' | 'num'>) {
  const { rows } = await sql<ChangedRow>`
    select c.public_change as change, l.listed, case when l.listed then l.search::text end as search, ${columns}
    from listing_change c join listing l on l.id = c.listing_id
    where c.public_change is not null and (c.public_change, c.num) > (${change}::bigint, ${num}::integer)
    order by c.public_change, c.num limit ${BATCH}`.execute(db)
  return rows
}

/** In every state but deleted; few, and not in the index. */
export async function ownListings(
  db: Db,
  sellerId: string,
  words: readonly string[],
): Promise<Findable[]> {
  const found = words.length === 0 ? sql`true` : sql`l.search @@ ${searchQuery(words)}::tsquery`
  const { rows } =
    await sql<ReadRow>`select ${columns} from listing l where l.seller_id = ${sellerId}
    and l.deleted_at is null and ${found}`.execute(db)
  return rows.map((row) => indexedOf(row, (text) => text))
}

const columns = sql`${columnsOf('l', INDEXED)}, date_part('epoch', l.posted_at) as posted_at,
  date_part('epoch', l.expires_at) as expires_at`

function indexedOf(
  row: ReadRow,
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
