import { sql } from 'kysely'
import { hashPassword } from '../nouns/account/password.ts'
import type { Database } from '../db/open.ts'
import { vacuum } from '../jobs/vacuum.ts'
import type { Db, Tx } from '../db/tables.ts'
import { batches, insertRows, rowsOf } from './bulk.ts'
import { demoId } from './ids.ts'
import { favouritesOf, followsOf, reportsOf, reviewing, searchesOf } from './interest.ts'
import { attachmentOf, listingRow, photoRows, tallyRow } from './listing-rows.ts'
import { CALENDAR, type DemoListing, listingsOf, offersOf, SELLER_LISTINGS } from './listing.ts'
import { personId, personRow, slugsOf } from './people-rows.ts'
import { makePeople } from './person.ts'
import { pictureRows } from './pictures.ts'
import { random } from './random.ts'
import { variedTurns } from './variety.ts'
import { conversationsOf } from './conversation.ts'

const PASSWORD = 'marche2026'
/** Conversations for two thousand users; other sizes in proportion. */
const CONVERSATIONS_PER_PERSON = 3200 / 2000
/**
 * The sequence number before the first change: a client that reads a whole list needs no delta of
 * it.
 */
const BEFORE_ALL = 0

/**
 * Fills an empty database with the demo [SURFACE 1], always the same but for dates, which are
 * relative to `now` (ms). One transaction: all or nothing. Resolves to whether it was empty.
 */
export async function fillDemo(
  database: Database,
  size: { listings: number; users: number },
  now: number,
): Promise<boolean> {
  if (await isFilled(database.db)) return false
  // Generated before the transaction: a database limits idle time inside one.
  const market = makeMarket(size)
  const passwordHash = await hashPassword(PASSWORD)
  const filled = await database.tx(async (tx) => {
    // Of several processes on one empty database the second finds it filled. A large commit needs
    // time.
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
    if (database.kind === 'postgresql') await sql`select pg_advisory_xact_lock(724003)`.execute(tx)
    if (await isFilled(tx)) return false
    await insertRows(tx, 'demo_picture', pictureRows)
    await insertPeople(tx, market, passwordHash, now)
    await insertListings(tx, market, now)
    await insertConversations(tx, market, now)
    await insertInterest(tx, market, now)
    return true
  })
  // Without fresh statistics the first queries would get bad plans.
  if (filled) await vacuum(database)
  return filled
}

const isFilled = async (db: Db): Promise<boolean> =>
  (await sql`select 1 from app_user limit 1`.execute(db)).rows.length > 0

type Market = ReturnType<typeof makeMarket>

function makeMarket(size: { listings: number; users: number }) {
  const people = makePeople(Math.max(size.users, 3))
  const listings = listingsOf(people)
  const plain = remembered(listings)
  const offers = offersOf(plain, Math.max(size.listings, SELLER_LISTINGS))
  const turns = variedTurns(offers, (n, turn) => (turn === 0 ? plain(n) : listings(n, turn)))
  const turned = remembered((n) => listings(n, turns.get(n)))
  const draw = (n: number) => (turns.has(n) ? turned(n) : plain(n))
  return {
    people,
    draw,
    offers,
    follows: [...followsOf(people)],
    favourites: [...favouritesOf(people, offers)],
  }
}

function remembered(draw: (n: number) => DemoListing): (n: number) => DemoListing {
  const drawn = new Map<number, DemoListing>()
  return (n) => {
    const listing = drawn.get(n) ?? draw(n)
    if (n < CACHED_MAX) drawn.set(n, listing)
    return listing
  }
}

const CACHED_MAX = 20_000

const count = <T>(list: Iterable<T>, key: (one: T) => number): ((key: number) => number) => {
  const counts = new Map<number, number>()
  for (const one of list) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return (wanted) => counts.get(wanted) ?? 0
}

async function insertPeople(
  tx: Tx,
  { people, offers, follows }: Market,
  passwordHash: string,
  now: number,
): Promise<void> {
  const slug = slugsOf(people)
  const followers = count(follows, ({ seller }) => seller.n)
  const following = count(follows, ({ follower }) => follower.n)
  const offered = count(offers, ({ seller }) => seller.n)
  const soldNow = count(
    offers.filter(({ status }) => status === 'sold'),
    ({ seller }) => seller.n,
  )
  const rows = people.map((one) => ({
    ...personRow(one, slug(one), passwordHash, now),
    followers_count: followers(one.n),
    following_count: following(one.n),
    items_sold: Math.max(
      soldNow(one.n),
      Math.floor(offered(one.n) * random('sold', one.n).between(0, 1.4)),
    ),
  }))
  await insertRows(tx, 'app_user', rows)
  await insertRows(
    tx,
    'user_slug',
    rows.map(({ id, slug: own }) => ({ slug: own, user_id: id })),
  )
}

async function insertListings(
  tx: Tx,
  { offers, draw, favourites }: Market,
  now: number,
): Promise<void> {
  const kept = count(favourites, ({ listing }) => listing.n)
  for (const round of batches(offers)) {
    const listings = round.map(({ n, featured }) => ({ ...draw(n), featured }))
    await insertRows(
      tx,
      'listing',
      listings.map((one) => listingRow(one, now)),
    )
    await insertRows(
      tx,
      'picture',
      listings.flatMap((one) => photoRows(one, now)),
    )
    // a trigger of `listing` has already inserted the rows
    const tallies = listings.map((one) => tallyRow(one, kept(one.n), now))
    await sql`update listing_tally t set views_total = given.views_total, views_today = given.views_today,
        views_day = given.views_day, favorites_count = given.favorites_count
      from ${rowsOf('listing_tally', tallies)} where t.listing_id = given.listing_id`.execute(tx)
  }
}

async function insertConversations(
  tx: Tx,
  { people, offers, draw }: Market,
  now: number,
): Promise<void> {
  const time = (ago = 0) => new Date(now - ago).toISOString()
  const review = reviewing()
  for (const round of batches(
    conversationsOf(people, offers, draw, people.length * CONVERSATIONS_PER_PERSON),
  )) {
    await insertRows(
      tx,
      'conversation',
      round.map(({ id, listing, buyer, messages }) => ({
        id,
        listing_id: listing.id,
        buyer_id: personId(buyer),
        seller_id: personId(listing.seller),
        last_seq: messages.length,
        created_at: time(messages[0]?.ago),
      })),
    )
    await insertRows(
      tx,
      'participant',
      round.flatMap(({ id, listing, buyer, messages, unread }) =>
        (
          [
            [buyer, unread.buyer],
            [listing.seller, unread.seller],
          ] as const
        ).map(([person, left]) => ({
          user_id: personId(person),
          conversation_id: id,
          read_until: messages.length - left,
          unread: left,
          sorted_at: time(messages.at(-1)?.ago),
          // to delta reads the rows changed when the demo was filled [API 3]
          updated_at: time(),
          change: BEFORE_ALL,
        })),
      ),
    )
    await insertRows(
      tx,
      'message',
      round.flatMap(({ n, id, listing, buyer, messages }) =>
        messages.map(({ id: message, seq, from, text, ago, attached }) => ({
          id: message,
          conversation_id: id,
          seq,
          sender_id: personId(from === 'buyer' ? buyer : listing.seller),
          content: text,
          attachment: attached
            ? { id: demoId(CALENDAR - ago, 'attachment', n, seq), ...attachmentOf(listing) }
            : null,
          created_at: time(ago),
        })),
      ),
    )
    await insertRows(
      tx,
      'review',
      round
        .flatMap((conversation) => review(conversation) ?? [])
        .map(({ author, seller, ago, ...rest }) => ({
          ...rest,
          seller_id: personId(seller),
          author_id: personId(author),
          created_at: time(ago),
          updated_at: time(ago),
        })),
    )
  }
}

async function insertInterest(
  tx: Tx,
  { people, offers, follows, favourites }: Market,
  now: number,
): Promise<void> {
  const time = (ago: number) => new Date(now - ago).toISOString()
  await insertRows(
    tx,
    'follow',
    follows.map(({ follower, seller, ago }) => ({
      follower_id: personId(follower),
      seller_id: personId(seller),
      created_at: time(ago),
    })),
  )
  await insertRows(
    tx,
    'favorite',
    favourites.map(({ person, listing, ago }) => ({
      user_id: personId(person),
      listing_id: listing.id,
      created_at: time(ago),
      changed_at: time(ago),
      change: BEFORE_ALL,
    })),
  )
  await insertRows(
    tx,
    'saved_search',
    [...searchesOf(people)].map(({ person, ago, ...search }) => ({
      ...search,
      user_id: personId(person),
      params_key: JSON.stringify(Object.entries(search.params).toSorted()),
      created_at: time(ago),
    })),
  )
  await insertRows(
    tx,
    'report',
    [...reportsOf(people, offers)].map(({ person, listing, ago, closedAgo, ...rest }) => ({
      ...rest,
      listing_id: listing.id,
      reporter: personId(person),
      reporter_user_id: personId(person),
      created_at: time(ago),
      closed_at: closedAgo === null ? null : time(closedAgo),
    })),
  )
}
