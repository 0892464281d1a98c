import { PAGE_SIZE_MAX } from '#schema/limits'
import type { AnswerOf } from '#schema/wire/call'
import * as wire from '#schema/wire/review'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { paged, readRoute, created, writeRoute, type Route, refuse } from '../../route/index.ts'
import { ratingOf } from '../listing/card.ts'
import { requirePerson, miniColumns, miniOf, type MiniRow } from '../shop/person.ts'
import { sql } from 'kysely'
import { pick } from '#schema/pick'
import { countOf, hasRows, isInserted } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { publish } from '../../live/publish.ts'
import { liveUser } from '../account/user.ts'

const REVIEWS_PAGE = 10

export const reviewRoutes: readonly Route[] = [
  readRoute(wire.listReviews, async (input) => {
    const { db, query } = input
    const seller = await requirePerson(db, query.seller)
    return paged(input, REVIEWS_PAGE, PAGE_SIZE_MAX, async ({ size, offset }) => {
      const { rows } = await sql<ReviewRow>`
        select ${columns} ${from} where r.seller_id = ${seller}
        order by r.created_at desc, r.id desc limit ${size} offset ${offset}`.execute(db)
      const count = await countOf(db, sql`review where seller_id = ${seller}`)
      return { count, rows: rows.map(reviewOf) }
    })
  }),

  writeRoute(
    wire.writeReview,
    async ({ body: { seller_id, rating, comment }, me, now }, tx) => {
      const seller = await requirePerson(tx, seller_id)
      return writeReview(tx, me.id, seller, { rating, comment: comment ?? '' }, now)
    },
    { limit: { name: 'reviews', user: [{ count: 20, seconds: 86_400 }] } },
  ),

  /** Succeeds for an unknown id. */
  writeRoute(wire.removeReview, async ({ me, params: { id } }, tx) => {
    const row = await tx
      .selectFrom('review')
      .select('author_id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return
    if (row.author_id !== me.id) throw refuse('permission_denied')
    await tx.deleteFrom('review').where('id', '=', id).execute()
  }),

  readRoute(wire.readAggregate, async ({ caller, db, params }) => {
    const seller = await requirePerson(db, params.id)
    const rating = await db
      .selectFrom('app_user')
      .select(['rating_count', 'rating_sum'])
      .where('id', '=', seller)
      .executeTakeFirstOrThrow()
    const reason = await whyNot(db, seller, caller?.id ?? null)
    return {
      seller_id: seller,
      ...ratingOf(rating),
      distribution: await distributionOf(db, seller),
      my_review: caller === null ? null : await reviewBy(db, seller, caller.id),
      can_review: reason === null,
      cannot_review_reason: reason,
    }
  }),
]

type Obstacle = AnswerOf<typeof wire.readAggregate>['cannot_review_reason']

async function whyNot(db: Db, seller: string, me: string | null): Promise<Obstacle> {
  if (me === null) return 'not_authenticated'
  if (me === seller) return 'self'
  return (await haveExchanged(db, me, seller)) ? null : 'no_exchange'
}

type ReviewRow = Row<'review'> & { reviewer: MiniRow }

const columns = sql`r.*, ${miniColumns('u')} as reviewer`
const from = sql`from review r join app_user u on u.id = r.author_id`

const reviewOf = (row: ReviewRow): wire.Review => ({
  ...pick(row, ['id', 'seller_id', 'rating', 'comment']),
  reviewer: miniOf(row.reviewer),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

async function reviewBy(db: Db, seller: string, author: string) {
  const { rows } =
    await sql<ReviewRow>`select ${columns} ${from} where r.seller_id = ${seller} and r.author_id = ${author}`.execute(
      db,
    )
  return rows[0] === undefined ? null : reviewOf(rows[0])
}

function haveExchanged(db: Db, one: string, other: string) {
  const wrote = (person: string) =>
    sql`exists (select from message m where m.conversation_id = c.id and m.sender_id = ${person})`
  return hasRows(
    db,
    sql`conversation c where (c.buyer_id, c.seller_id) in ((${one}, ${other}), (${other}, ${one}))
      and ${wrote(one)} and ${wrote(other)}`,
  )
}

/** [API 10.3]: a later one replaces it; the first notifies the seller. */
async function writeReview(
  tx: Tx,
  author: string,
  seller: string,
  opinion: { rating: number; comment: string },
  now: Date,
) {
  if (author === seller) throw refuse('cannot_review_self')
  if (!(await haveExchanged(tx, author, seller))) throw refuse('review_not_allowed')
  const { is_new: isNew } = await tx
    .insertInto('review')
    .values({
      id: newId(now.getTime()),
      seller_id: seller,
      author_id: author,
      ...opinion,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) =>
      on.columns(['seller_id', 'author_id']).doUpdateSet({ ...opinion, updated_at: now }),
    )
    .returning(isInserted)
    .executeTakeFirstOrThrow()
  if (isNew) {
    const slug = (await liveUser(tx, seller))?.slug ?? seller
    const comment = Array.from(opinion.comment).slice(0, 200).join('')
    const fact = { event: 'review.created', rating: opinion.rating, comment, slug } as const
    publish(tx, { to: seller, by: author, at: now, fact })
  }
  const review = await reviewBy(tx, seller, author)
  if (review === null) throw new Error('a review that was just written is gone')
  return created(review, isNew)
}

async function distributionOf(db: Db, seller: string) {
  const rows = await db
    .selectFrom('review')
    .select((of) => ['rating', of.fn.countAll<number>().as('count')])
    .where('seller_id', '=', seller)
    .groupBy('rating')
    .execute()
  const count = (rating: number) => rows.find((row) => row.rating === rating)?.count ?? 0
  return { 1: count(1), 2: count(2), 3: count(3), 4: count(4), 5: count(5) }
}
