import { sql } from 'kysely'
import { hashPassword } from '../nouns/account/password.ts'
import type { Database } from '../db/open.ts'
import type { Tx } from '../db/tables.ts'
import { batches, insertRows } from './bulk.ts'
import { demoId } from './ids.ts'
import {
  type DemoFavourite,
  type DemoFollow,
  type DemoReview,
  favouritesOf,
  followsOf,
  reportsOf,
  reviewing,
  searchesOf,
} from './interest.ts'
import {
  attachmentOf,
  LISTING_COLUMNS,
  listingRow,
  photoRows,
  PICTURE_COLUMNS,
  TALLY_COLUMNS,
  tallyRow,
} from './listing-rows.ts'
import {
  CALENDAR,
  type DemoListing,
  listingsOf,
  type Offer,
  offersOf,
  SELLER_LISTINGS,
} from './listing.ts'
import { PERSON_COLUMNS, personId, personRow, slugsOf } from './people-rows.ts'
import { makePeople, type Person } from './person.ts'
import { pictureRows } from './pictures.ts'
import { random } from './random.ts'
import { type DemoConversation, conversationsOf } from './conversation.ts'

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
  if (await isFilled(database)) return false
  // Generated before the transaction: a database limits idle time inside one.
  const market = makeMarket(size)
  const passwordHash = await hashPassword(PASSWORD)
  const filled = await database.tx(async (tx) => {
    // Of several processes on one empty database the second finds it filled. A large commit needs
    // time.
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
    if (database.kind === 'postgresql') await sql`select pg_advisory_xact_lock(724003)`.execute(tx)
    const { rows } = await sql`select 1 from app_user limit 1`.execute(tx)
    if (rows.length > 0) return false
    await insertRows(
      tx,
      'demo_picture',
      { hash: 'text', kind: 'text', colour: 'text' },
      pictureRows,
    )
    await insertPeople(tx, market, passwordHash, now)
    await insertListings(tx, market, now)
    await insertConversations(tx, market, now)
    await insertInterest(tx, market, now)
    return true
  })
  // Without fresh statistics the first queries would get bad plans.
  if (filled) for (const table of VACUUMED) await database.script(`vacuum analyze ${table}`)
  return filled
}

const VACUUMED = [
  'app_user',
  'listing',
  'listing_change',
  'listing_tally',
  'picture',
  'demo_picture',
  'conversation',
  'participant',
  'message',
  'favorite',
  'follow',
  'review',
  'saved_search',
  'report',
]

async function isFilled(database: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from app_user limit 1`.execute(database.db)
  return rows.length > 0
}

/** A compact form of the whole market; full listings are generated again when they are written. */
interface Market {
  readonly people: readonly Person[]
  readonly draw: (n: number) => DemoListing
  readonly offers: readonly Offer[]
  readonly follows: readonly DemoFollow[]
  readonly favourites: readonly DemoFavourite[]
}

function makeMarket(size: { listings: number; users: number }): Market {
  const people = makePeople(Math.max(size.users, 3))
  const draw = remembered(listingsOf(people))
  const offers = offersOf(draw, Math.max(size.listings, SELLER_LISTINGS))
  return {
    people,
    draw,
    offers,
    follows: [...followsOf(people)],
    favourites: [...favouritesOf(people, offers)],
  }
}

/** Most markets are small enough to be cached. */
function remembered(draw: (n: number) => DemoListing): (n: number) => DemoListing {
  const drawn = new Map<number, DemoListing>()
  return (n) => {
    const listing = drawn.get(n) ?? draw(n)
    if (n < FIXED_FAVOURITES) drawn.set(n, listing)
    return listing
  }
}

const FIXED_FAVOURITES = 20_000

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
  const sold = ({ n }: Person) =>
    Math.max(soldNow(n), Math.floor(offered(n) * random('sold', n).between(0, 1.4)))
  await insertRows(
    tx,
    'app_user',
    PERSON_COLUMNS,
    people.map((one) =>
      personRow(
        one,
        slug(one),
        { followers: followers(one.n), following: following(one.n), sold: sold(one) },
        passwordHash,
        now,
      ),
    ),
  )
  await insertRows(
    tx,
    'user_slug',
    { slug: 'text', user_id: 'text' },
    people.map((one) => ({ slug: slug(one), user_id: personId(one) })),
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
      LISTING_COLUMNS,
      listings.map((one) => listingRow(one, now)),
    )
    await insertRows(
      tx,
      'picture',
      PICTURE_COLUMNS,
      listings.flatMap((one) => photoRows(one, now)),
    )
    await updateTallies(
      tx,
      listings.map((one) => tallyRow(one, kept(one.n), now)),
    )
  }
}

/** A trigger of `listing` has already inserted the rows. */
async function updateTallies(
  tx: Tx,
  tallies: readonly ReturnType<typeof tallyRow>[],
): Promise<void> {
  const types = sql.join(
    Object.entries(TALLY_COLUMNS).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  )
  await sql`update listing_tally set views_total = given.views_total, views_today = given.views_today,
      views_day = given.views_day, favorites_count = given.favorites_count
    from jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb) as given(${types})
    where listing_tally.listing_id = given.listing_id`.execute(tx)
}

async function insertConversations(
  tx: Tx,
  { people, offers, draw }: Market,
  now: number,
): Promise<void> {
  const review = reviewing()
  for (const round of batches(
    conversationsOf(people, offers, draw, people.length * CONVERSATIONS_PER_PERSON),
  )) {
    await insertConversationBatch(tx, round, now)
    await insertRows(
      tx,
      'review',
      REVIEW_COLUMNS,
      round.flatMap((conversation) => review(conversation) ?? []).map((one) => reviewRow(one, now)),
    )
  }
}

const REVIEW_COLUMNS = {
  id: 'text',
  seller_id: 'text',
  author_id: 'text',
  rating: 'smallint',
  comment: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}

function reviewRow({ id, author, seller, rating, comment, ago }: DemoReview, now: number) {
  const at = new Date(now - ago).toISOString()
  return {
    id,
    seller_id: personId(seller),
    author_id: personId(author),
    rating,
    comment,
    created_at: at,
    updated_at: at,
  }
}

async function insertConversationBatch(
  tx: Tx,
  conversations: readonly DemoConversation[],
  now: number,
): Promise<void> {
  const time = (ago: number) => new Date(now - ago).toISOString()
  const begun = ({ messages }: DemoConversation) => time(messages[0]?.ago ?? 0)
  await insertRows(
    tx,
    'conversation',
    {
      id: 'text',
      listing_id: 'text',
      buyer_id: 'text',
      seller_id: 'text',
      last_seq: 'integer',
      created_at: 'timestamptz',
    },
    conversations.map((conversation) => ({
      id: conversation.id,
      listing_id: conversation.listing.id,
      buyer_id: personId(conversation.buyer),
      seller_id: personId(conversation.listing.seller),
      last_seq: conversation.messages.length,
      created_at: begun(conversation),
    })),
  )
  await insertRows(
    tx,
    'participant',
    {
      user_id: 'text',
      conversation_id: 'text',
      read_until: 'integer',
      unread: 'integer',
      sorted_at: 'timestamptz',
      updated_at: 'timestamptz',
      change: 'bigint',
    },
    conversations.flatMap((conversation) => {
      const last = time(conversation.messages.at(-1)?.ago ?? 0)
      // to delta reads the rows changed when the demo was filled [API 3]
      const side = (person: Person, unread: number) => ({
        user_id: personId(person),
        conversation_id: conversation.id,
        read_until: conversation.messages.length - unread,
        unread,
        sorted_at: last,
        updated_at: time(0),
        change: BEFORE_ALL,
      })
      return [
        side(conversation.buyer, conversation.unread.buyer),
        side(conversation.listing.seller, conversation.unread.seller),
      ]
    }),
  )
  await insertRows(
    tx,
    'message',
    {
      id: 'text',
      conversation_id: 'text',
      seq: 'integer',
      sender_id: 'text',
      content: 'text',
      attachment: 'jsonb',
      created_at: 'timestamptz',
    },
    messagesOf(conversations, now),
  )
}

function* messagesOf(conversations: readonly DemoConversation[], now: number) {
  for (const { n, id, listing, buyer, messages } of conversations) {
    for (const { seq, from, text, ago, attached, id: message } of messages) {
      const attachment = attached
        ? { id: demoId(CALENDAR - ago, 'attachment', n, seq), ...attachmentOf(listing) }
        : null
      yield {
        id: message,
        conversation_id: id,
        seq,
        sender_id: personId(from === 'buyer' ? buyer : listing.seller),
        content: text,
        attachment,
        created_at: new Date(now - ago).toISOString(),
      }
    }
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
    { follower_id: 'text', seller_id: 'text', created_at: 'timestamptz' },
    follows.map(({ follower, seller, ago }) => ({
      follower_id: personId(follower),
      seller_id: personId(seller),
      created_at: time(ago),
    })),
  )
  await insertRows(
    tx,
    'favorite',
    {
      user_id: 'text',
      listing_id: 'text',
      created_at: 'timestamptz',
      changed_at: 'timestamptz',
      change: 'bigint',
    },
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
    {
      id: 'text',
      user_id: 'text',
      name: 'text',
      params: 'jsonb',
      params_key: 'text',
      alerts: 'text',
      created_at: 'timestamptz',
    },
    [...searchesOf(people)].map(({ id, person, name, params, alerts, ago }) => ({
      id,
      user_id: personId(person),
      name,
      params,
      params_key: JSON.stringify(Object.entries(params).toSorted()),
      alerts,
      created_at: time(ago),
    })),
  )
  await insertRows(
    tx,
    'report',
    {
      id: 'text',
      category: 'text',
      message: 'text',
      listing_id: 'text',
      reporter: 'text',
      reporter_user_id: 'text',
      created_at: 'timestamptz',
      closed_at: 'timestamptz',
    },
    [...reportsOf(people, offers)].map(
      ({ id, person, listing, category, message, ago, closedAgo }) => ({
        id,
        category,
        message,
        listing_id: listing.id,
        reporter: personId(person),
        reporter_user_id: personId(person),
        created_at: time(ago),
        closed_at: closedAgo === null ? null : time(closedAgo),
      }),
    ),
  )
}
