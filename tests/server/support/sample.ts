import type { Insertable } from 'kysely'
import type { Db, Tables } from '../../../server/db/tables.ts'
import type { Specs } from '#schema/wire/listing'
import { hashOf, newToken } from '../../../server/route/index.ts'
import { newId } from '../../../server/ids.ts'
import { derive } from '../../../server/nouns/listing/derive.ts'

/** Inserts rows directly, for tests and benchmarks. */

export async function addPerson(
  db: Db,
  username: string,
  more: Partial<Insertable<Tables['app_user']>> = {},
): Promise<string> {
  const id = newId()
  const at = new Date('2026-01-01T00:00:00.000Z')
  await db
    .insertInto('app_user')
    .values({
      id,
      username,
      username_key: username.toLowerCase(),
      email: `${username}@example.test`,
      slug: username,
      language: 'fr',
      joined_at: at,
      updated_at: at,
      ...more,
    })
    .execute()
  await db.insertInto('user_slug').values({ slug: username, user_id: id }).execute()
  return id
}

type Row = Insertable<Tables['listing']>
export type SampleFields = Omit<Partial<Row>, 'specs'> & { specs?: Specs }

/** An approved listing unless `more` overrides it; derived columns are computed. */
export function listingRow(sellerId: string, more: SampleFields = {}): Row {
  const at = more.posted_at instanceof Date ? more.posted_at : new Date('2026-10-01T08:00:00.000Z')
  const values = {
    title: 'Toyota Corolla 2012',
    description: 'Très bon état',
    category: 'vehicles',
    region: 'kadiogo',
    town: 'ouagadougou',
    neighbourhood: null,
    location_note: null,
    specs: {},
    ...more,
  }
  return {
    id: newId(at.getTime()),
    seller_id: sellerId,
    price: 3_500_000,
    review_status: 'approved',
    posted_at: at,
    expires_at: new Date(at.getTime() + 400 * 86_400_000),
    created_at: at,
    updated_at: at,
    ...values,
    ...derive({
      ...values,
      town: values.town ?? null,
      neighbourhood: values.neighbourhood ?? null,
      location_note: values.location_note ?? null,
    }),
    ...more,
    specs: JSON.stringify(values.specs),
  }
}

export async function addListing(
  db: Db,
  sellerId: string,
  more: SampleFields = {},
): Promise<string> {
  const row = listingRow(sellerId, more)
  await db.insertInto('listing').values(row).execute()
  return row.id
}

export async function signIn(db: Db, userId: string): Promise<{ Authorization: string }> {
  const token = newToken()
  const at = new Date()
  await db
    .insertInto('session')
    .values({
      id: newId(),
      token_hash: hashOf(token),
      user_id: userId,
      user_agent: 'test',
      created_at: at,
      last_used_at: at,
    })
    .execute()
  return { Authorization: `Token ${token}` }
}
