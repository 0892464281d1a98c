import { sql } from 'kysely'
import type { Findable } from '#schema/findable'
import type { Specs } from '#schema/wire/listing'
import type { Db } from '../../db/tables.ts'
import { searchQuery } from './derive.ts'

/** A listing of the shelf: what filters ask, and when its time is over (ms). */
export interface Shelved extends Findable {
  readonly num: number
  readonly ends: number
}

/** Every listed listing of a database, in this process's memory, for counting facets without asking the database 200,000 rows. */
export interface Shelf {
  /** Brings the shelf up to what is committed now: one small query, or all rows the first time. */
  refresh(): Promise<void>
  /** Grows whenever something on the shelf changed. */
  readonly version: number
  readonly listings: ReadonlyMap<number, Shelved>
}

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

function makeShelf(db: Db): Shelf {
  const listings = new Map<number, Shelved>()
  const placed = new Map<number, string>()
  /** All transactions before this one are on the shelf; later rows are read again, since some may still have been open. */
  let safe = '0'
  let version = 0
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null

  async function load(): Promise<void> {
    let place: Place = { xid: safe, revision: -1 }
    let rows = await changedRows(db, place)
    const xmin = rows[0]?.xmin ?? safe
    while (rows.length > 0) {
      for (const row of rows) put(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) break
      place = last
      rows = await changedRows(db, place)
    }
    safe = xmin
  }

  function put(row: ChangedRow): void {
    const change = `${row.xid}.${row.revision}`
    if (placed.get(row.num) === change) return
    placed.set(row.num, change)
    version += 1
    if (row.listed) listings.set(row.num, shelved(row))
    else listings.delete(row.num)
  }

  return {
    listings,
    get version() {
      return version
    },
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
  }
}

interface Place {
  readonly xid: string
  readonly revision: number
}

interface ChangedRow extends Place, Row {
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

async function changedRows(db: Db, { xid, revision }: Place): Promise<ChangedRow[]> {
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
