import { sql } from 'kysely'
import { avatarUrl, type PictureFacts } from '../files/variants.ts'
import { hashPassword } from '../nouns/account/password.ts'
import { derive } from '../nouns/listing/derive.ts'
import type { Database } from '../db/open.ts'
import { vacuum } from '../jobs/vacuum.ts'
import { hasRows } from '../db/sql.ts'
import type { Db, Tx } from '../db/tables.ts'
import { batches, insertRows, rowsOf } from './bulk.ts'
import { demoId, distinct, type DemoListing, type Market, marketOf } from './market.ts'
import { avatarNamed, photoNamed, pictureRows } from './pictures.ts'

const PASSWORD = 'marche2026'
const DAY_S = 86_400
const EXPIRES_AFTER_S = 60 * DAY_S
/** Before the first change: a client that reads a whole list needs no delta of it. */
const BEFORE_ALL = 0

/** So many seconds before the demo's now. */
type Time = (ago: number | null) => string | null

/**
 * Fills an empty database [SURFACE 1], always the same but for dates, which are relative to `now`
 * (ms). Resolves to whether it was empty.
 */
export async function fillDemo(
  database: Database,
  size: { listings: number; users: number },
  now: number,
) {
  if (await isFilled(database.db)) return false
  // Before the transaction: a database limits idle time inside one.
  const market = marketOf(size)
  const passwordHash = await hashPassword(PASSWORD)
  const time: Time = (ago) => (ago === null ? null : new Date(now - ago * 1000).toISOString())
  const filled = await database.tx(async (tx) => {
    // Of several processes the second finds it filled. A large commit needs time.
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
    if (database.kind === 'postgresql') await sql`select pg_advisory_xact_lock(724003)`.execute(tx)
    if (await isFilled(tx)) return false
    await insertRows(tx, 'demo_picture', pictureRows)
    await insertPeople(tx, market, passwordHash, time)
    await insertListings(tx, market, time)
    await insertConversations(tx, market, time)
    await insertInterest(tx, market, time)
    return true
  })
  // Without fresh statistics the first queries would get bad plans.
  if (filled) await vacuum(database)
  return filled
}

const isFilled = (db: Db) => hasRows(db, sql`app_user`)

const count = <T>(list: Iterable<T>, key: (one: T) => string): ((key: string) => number) => {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return (wanted) => counts.get(wanted) ?? 0
}

async function insertPeople(tx: Tx, { people, follows }: Market, passwordHash: string, time: Time) {
  const followers = count(follows, ({ seller }) => seller.id)
  const following = count(follows, ({ person }) => person.id)
  const rows = people.map((one) => ({
    id: one.id,
    username: one.username,
    username_key: one.username.toLowerCase(),
    email: one.email,
    email_verified_at: one.email_verified ? time(one.joined) : null,
    password_hash: passwordHash,
    phone: one.phone,
    avatar: one.avatar === null ? null : avatarUrl(avatarNamed(one.avatar).hash),
    shop_name: one.shop_name,
    slug: one.slug,
    bio: one.bio,
    language: 'fr',
    verified_seller: one.verified_seller,
    is_moderator: one.moderator,
    typical_response_hours: one.response_hours,
    joined_at: time(one.joined),
    updated_at: time(one.joined),
    followers_count: followers(one.id),
    following_count: following(one.id),
    items_sold: one.items_sold,
  }))
  await insertRows(tx, 'app_user', rows)
  await insertRows(
    tx,
    'user_slug',
    rows.map(({ id, slug }) => ({ slug, user_id: id })),
  )
}

async function insertListings(tx: Tx, market: Market, time: Time) {
  const kept = count(market.favourites, ({ listing }) => listing.id)
  for (const listings of batches(market.listings())) {
    await insertRows(
      tx,
      'listing',
      listings.map((one) => listingRow(one, time)),
    )
    await insertRows(
      tx,
      'picture',
      listings.flatMap((one) => photoRows(one, time)),
    )
    // a trigger of `listing` has already inserted the rows
    const tallies = listings.map(({ id, views, views_today }) => ({
      listing_id: id,
      views_total: views,
      views_today,
      views_day: time(0)?.slice(0, 10),
      favorites_count: kept(id),
    }))
    await sql`update listing_tally t set views_total = given.views_total, views_today = given.views_today,
        views_day = given.views_day, favorites_count = given.favorites_count
      from ${rowsOf('listing_tally', tallies)} where t.listing_id = given.listing_id`.execute(tx)
  }
}

const pictureId = ({ n, created }: DemoListing, position: number) =>
  demoId(created, 'picture', n, position)

function listingRow(listing: DemoListing, time: Time) {
  const { title, description, category, region, town, neighbourhood, specs } = listing
  const { status, seller, featured, created, posted, sold } = listing
  const place = { region, town, neighbourhood, location_note: null }
  const fields = { title, description, category, specs, ...place }
  const left = posted === null ? null : EXPIRES_AFTER_S - posted
  return {
    ...fields,
    ...derive(fields),
    id: listing.id,
    seller_id: seller.id,
    price: listing.price,
    negotiable: listing.negotiable,
    contact_phone: listing.contact_phone ? seller.phone : null,
    cover_id: listing.photos.length > 0 ? pictureId(listing, 0) : null,
    images_count: listing.photos.length,
    review_status: status === 'pending' || status === 'rejected' ? status : 'approved',
    review_reason: listing.review_reason,
    is_sold: status === 'sold',
    is_reserved: status === 'reserved',
    is_archived: status === 'archived',
    is_featured: featured,
    // Not counted in the owner's two, and for 90 days: a demo may run for long.
    featured_by_moderator: featured,
    featured_until: featured ? time(-90 * DAY_S) : null,
    lapsed: left !== null && left <= 0 && status !== 'sold',
    seller_verified: seller.verified_seller,
    expires_at: left === null ? null : time(-left),
    // No notification about an expiry long ago.
    expiry_told_at: left !== null && left < 3 * DAY_S ? time(0) : null,
    posted_at: time(posted),
    sold_at: time(sold),
    created_at: time(created),
    updated_at: time(sold ?? posted ?? created),
  }
}

const photoRows = (listing: DemoListing, time: Time) =>
  listing.photos.map((name, position) => ({
    ...pictureFacts(name),
    bytes: photoNamed(name).bytes,
    id: pictureId(listing, position),
    owner_id: listing.seller.id,
    listing_id: listing.id,
    position,
    created_at: time(listing.created),
    settled_at: time(listing.created),
  }))

function pictureFacts(name: string): PictureFacts {
  const { hash, width, height, thumbhash, color } = photoNamed(name)
  return { hash, width, height, formats: ['webp'], thumbhash, color }
}

async function insertConversations(tx: Tx, { conversations }: Market, time: Time) {
  const numbered = conversations.map(({ listing, person: buyer, messages, ...rest }) => {
    const [began = 0, ended = 0] = [messages[0]?.[1], messages.at(-1)?.[1]]
    const id = demoId(began, 'conversation', listing.n, buyer.n)
    return {
      ...rest,
      id,
      listing,
      people: { buyer, seller: listing.seller },
      messages,
      began,
      ended,
    }
  })
  for (const round of batches(numbered)) {
    await insertRows(
      tx,
      'conversation',
      round.map(({ id, listing, people, messages, began }) => ({
        id,
        listing_id: listing.id,
        buyer_id: people.buyer.id,
        seller_id: people.seller.id,
        last_seq: messages.length,
        created_at: time(began),
      })),
    )
    await insertRows(
      tx,
      'participant',
      round.flatMap(({ id, people, messages, unread, ended }) =>
        (['buyer', 'seller'] as const).map((role) => {
          const left = messages.at(-1)?.[0] === role ? 0 : unread
          return {
            user_id: people[role].id,
            conversation_id: id,
            read_until: messages.length - left,
            unread: left,
            sorted_at: time(ended),
            // to delta reads, changed when the demo was filled [API 3]
            updated_at: time(0),
            change: BEFORE_ALL,
          }
        }),
      ),
    )
    await insertRows(
      tx,
      'message',
      round.flatMap(({ id, people, messages }) =>
        messages.map(([from, ago, content, photo], at) => ({
          id: demoId(ago, 'message', id, at),
          conversation_id: id,
          seq: at + 1,
          sender_id: people[from].id,
          content,
          attachment:
            photo === undefined
              ? null
              : { id: demoId(ago, 'attachment', id, at), ...pictureFacts(photo) },
          created_at: time(ago),
        })),
      ),
    )
  }
  const reviews = numbered.flatMap(({ id, people: { buyer, seller }, review }) =>
    review === undefined
      ? []
      : {
          id: demoId(review.ago, 'review', id),
          seller_id: seller.id,
          author_id: buyer.id,
          rating: review.rating,
          comment: review.comment,
          created_at: time(review.ago),
          updated_at: time(review.ago),
        },
  )
  await insertRows(
    tx,
    'review',
    distinct(reviews, ({ seller_id: seller, author_id: author }) => `${seller} ${author}`),
  )
}

async function insertInterest(
  tx: Tx,
  { favourites, follows, searches, reports }: Market,
  time: Time,
) {
  await insertRows(
    tx,
    'follow',
    follows.map(({ person, seller, ago }) => ({
      follower_id: person.id,
      seller_id: seller.id,
      created_at: time(ago),
    })),
  )
  await insertRows(
    tx,
    'favorite',
    favourites.map(({ person, listing, ago }) => ({
      user_id: person.id,
      listing_id: listing.id,
      created_at: time(ago),
      changed_at: time(ago),
      change: BEFORE_ALL,
    })),
  )
  await insertRows(
    tx,
    'saved_search',
    searches.map(({ person, name, params, alerts, ago }) => ({
      id: demoId(ago, 'search', person.n, name),
      user_id: person.id,
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
    reports.map(({ person, listing, category, message, ago, closed }) => ({
      id: demoId(ago, 'report', listing.n, person.n),
      listing_id: listing.id,
      reporter: person.id,
      reporter_user_id: person.id,
      category,
      message,
      created_at: time(ago),
      closed_at: time(closed),
    })),
  )
}
