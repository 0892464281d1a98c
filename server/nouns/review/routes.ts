import { PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/review'
import type { Review } from '#schema/wire/review'
import type { Db, Row, Tx } from '../../db/tables.ts'
import {
  paged,
  readRoute,
  created,
  writeRoute,
  type LimitRow,
  type Route,
  refuse,
  type Page,
} from '../../route/index.ts'
import { ratingOf } from '../listing/card.ts'
import { requirePerson, lockPerson, miniColumns, miniOf, type MiniRow } from '../shop/person.ts'
import { sql } from 'kysely'
import { pick } from '#schema/pick'
import { countOf } from '../../db/count.ts'
import { newId } from '../../ids.ts'
import { publish } from '../../live/publish.ts'
import { liveUser } from '../account/user.ts'

const LIMIT: LimitRow = { name: 'reviews', user: [{ count: 20, seconds: 86_400 }] }
const REVIEWS_PAGE = 10

export const reviewRoutes: readonly Route[] = [
  readRoute(wire.listReviews, async (input) => {
    const { db, query } = input
    const seller = await requirePerson(db, query.seller)
    return paged(input, REVIEWS_PAGE, PAGE_SIZE_MAX, (page) => reviewsOf(db, seller, page))
  }),

  writeRoute(
    wire.writeReview,
    async ({ body, me, now }, tx) => {
      const seller = await requirePerson(tx, body.seller_id)
      const { review, isNew } = await writeReview(
        tx,
        { author: me.id, seller, rating: body.rating, comment: body.comment ?? '' },
        now,
      )
      return created(review, isNew)
    },
    { limit: LIMIT },
  ),

  writeRoute(wire.removeReview, ({ me, params }, tx) => removeReview(tx, params.id, me.id)),

  readRoute(wire.readAggregate, async ({ caller, db, params }) => {
    const seller = await requirePerson(db, params.id)
    const { rating_count, rating_sum } = await db
      .selectFrom('app_user')
      .select(['rating_count', 'rating_sum'])
      .where('id', '=', seller)
      .executeTakeFirstOrThrow()
    const reason = await whyNot(db, seller, caller?.id ?? null)
    return {
      seller_id: seller,
      ...ratingOf({ rating_count, rating_sum }),
      distribution: await distributionOf(db, seller),
      my_review: caller === null ? null : await reviewBy(db, seller, caller.id),
      can_review: reason === null,
      cannot_review_reason: reason,
    }
  }),
]

async function whyNot(
  db: Db,
  seller: string,
  me: string | null,
): Promise<'not_authenticated' | 'self' | 'no_exchange' | null> {
  if (me === null) return 'not_authenticated'
  if (me === seller) return 'self'
  return (await haveExchanged(db, me, seller)) ? null : 'no_exchange'
}

interface Opinion {
  readonly author: string
  readonly seller: string
  readonly rating: number
  readonly comment: string
}

type ReviewRow = Row<'review'> & { reviewer: MiniRow }

const columns = sql`r.*, ${miniColumns('u')} as reviewer`
const from = sql`from review r join app_user u on u.id = r.author_id`

const reviewOf = (row: ReviewRow): Review => ({
  ...pick(row, ['id', 'seller_id', 'rating', 'comment']),
  reviewer: miniOf(row.reviewer),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

async function reviewsOf(db: Db, seller: string, page: Page) {
  const { rows } = await sql<ReviewRow>`
    select ${columns} ${from} where r.seller_id = ${seller} order by r.created_at desc, r.id desc
      limit ${page.size} offset ${page.offset}`.execute(db)
  const count = await countOf(db, sql`review where seller_id = ${seller}`)
  return { count, rows: rows.map(reviewOf) }
}

async function reviewBy(db: Db, seller: string, author: string): Promise<Review | null> {
  const { rows } =
    await sql<ReviewRow>`select ${columns} ${from} where r.seller_id = ${seller} and r.author_id = ${author}`.execute(
      db,
    )
  return rows[0] === undefined ? null : reviewOf(rows[0])
}

async function haveExchanged(db: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await sql`
    select from conversation c
    where ((c.buyer_id = ${one} and c.seller_id = ${other}) or (c.buyer_id = ${other} and c.seller_id = ${one}))
      and exists (select from message m where m.conversation_id = c.id and m.sender_id = ${one})
      and exists (select from message m where m.conversation_id = c.id and m.sender_id = ${other})
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * [API 10.3]: one review per seller and author, replaced by a later one; the first notifies the
 * seller.
 */
async function writeReview(tx: Tx, opinion: Opinion, now: Date) {
  const { author, seller, rating, comment } = opinion
  if (author === seller) throw refuse('cannot_review_self')
  if (!(await haveExchanged(tx, author, seller))) throw refuse('review_not_allowed')
  // The lock on the author's row serializes two first reviews by one author.
  await lockPerson(tx, author)
  const isNew = (await reviewBy(tx, seller, author)) === null
  await tx
    .insertInto('review')
    .values({
      id: newId(now.getTime()),
      seller_id: seller,
      author_id: author,
      rating,
      comment,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) =>
      on.columns(['seller_id', 'author_id']).doUpdateSet({ rating, comment, updated_at: now }),
    )
    .execute()
  if (isNew) await notifySeller(tx, opinion, now)
  const review = await reviewBy(tx, seller, author)
  if (review === null) throw new Error('a review that was just written is gone')
  return { review, isNew }
}

async function notifySeller(
  tx: Tx,
  { author, seller, rating, comment }: Opinion,
  now: Date,
): Promise<void> {
  const slug = (await liveUser(tx, seller))?.slug ?? seller
  publish(tx, {
    to: seller,
    by: author,
    at: now,
    fact: {
      event: 'review.created',
      rating,
      comment: Array.from(comment).slice(0, 200).join(''),
      slug,
    },
  })
}

/** Succeeds for an unknown id, which is already deleted. Throws 403 for another author's review. */
async function removeReview(tx: Tx, id: string, me: string): Promise<void> {
  const row = await tx
    .selectFrom('review')
    .select('author_id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  if (row.author_id !== me) throw refuse('permission_denied')
  await tx.deleteFrom('review').where('id', '=', id).execute()
}

async function distributionOf(
  db: Db,
  seller: string,
): Promise<Record<'1' | '2' | '3' | '4' | '5', number>> {
  const rows = await db
    .selectFrom('review')
    .select((of) => ['rating', of.fn.countAll<number>().as('count')])
    .where('seller_id', '=', seller)
    .groupBy('rating')
    .execute()
  const count = (rating: number) => rows.find((row) => row.rating === rating)?.count ?? 0
  return { 1: count(1), 2: count(2), 3: count(3), 4: count(4), 5: count(5) }
}
