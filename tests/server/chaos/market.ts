import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { migrate } from '../../../server/db/migrate.ts'
import type { Database } from '../../../server/db/open.ts'
import { createUser } from '../../../server/nouns/account/sign-in.ts'
import { openSession } from '../../../server/nouns/account/session.ts'
import { addListing } from '../support/sample.ts'

/** A buyer who writes to the seller. Sellers may not write first, so only buyers write. */
export interface Buyer {
  readonly token: string
  readonly conversation: string
}

export interface Market {
  readonly seller: { readonly token: string }
  readonly listing: string
  readonly buyers: readonly Buyer[]
}

/** Fills an empty database with a seller, a listing, and buyers with a conversation each. */
export async function lay(database: Database, buyers: number): Promise<Market> {
  await migrate(database)
  const now = new Date()
  return database.tx(async (tx) => {
    const person = (username: string) =>
      createUser(
        tx,
        { username, email: `${username}@example.com`, passwordHash: 'none', language: 'fr' },
        now,
      )
    const seller = await person('seller')
    const listing = await addListing(tx, seller)
    const all: Buyer[] = []
    for (let n = 0; n < buyers; n += 1) {
      const buyer = await person(`buyer${n}`)
      const conversation = randomUUID()
      await tx
        .insertInto('conversation')
        .values({
          id: conversation,
          listing_id: listing,
          buyer_id: buyer,
          seller_id: seller,
          created_at: now,
        })
        .execute()
      for (const user_id of [seller, buyer])
        await tx
          .insertInto('participant')
          .values({ user_id, conversation_id: conversation, sorted_at: now, updated_at: now })
          .execute()
      all.push({ conversation, token: await openSession(tx, buyer, 'chaos', now) })
    }
    return { listing, buyers: all, seller: { token: await openSession(tx, seller, 'chaos', now) } }
  })
}

/** Errors in the database: lost or duplicate acknowledged messages, half transactions. */
export async function judge(
  database: Database,
  acknowledged: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{
    content: string
    n: number
  }>`select content, count(*)::int as n from message group by content`.execute(database.db)
  const stored = new Map(rows.map(({ content, n }) => [content, n]))
  const lost = acknowledged.filter((content) => !stored.has(content))
  const doubled = rows.filter(({ n }) => n > 1)
  const { rows: halves } = await sql<{
    messages: number
    top: number
    keys: number
    events: number
  }>`
    select (select count(*)::int from message) as messages,
      (select coalesce(sum(top), 0)::int
        from (select max(seq) as top from message group by conversation_id) each) as top,
      (select count(*)::int from idempotency) as keys,
      (select count(*)::int from event where name = 'message.created') as events`.execute(
    database.db,
  )
  const half = halves[0]
  const whole =
    half !== undefined &&
    half.messages === half.top &&
    half.messages === half.keys &&
    half.messages <= half.events
  return [
    ...(lost.length > 0 ? [`${lost.length} LOST`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} DOUBLED`] : []),
    ...(whole ? [] : [`HALF TRANSACTIONS ${JSON.stringify(half)}`]),
  ]
}
