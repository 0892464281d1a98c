import { sql } from 'kysely'
import * as v from 'valibot'
import type { Tx } from '../../db/tables.ts'
import { enqueue, steppedJob } from '../../jobs/queue.ts'
import type { Held } from '../listing/change.ts'
import { publish } from '../../live/publish.ts'

const BATCH = 500

const plan = v.object({
  listing: v.string(),
  seller: v.string(),
  title: v.string(),
  image: v.nullable(v.string()),
  /** Later followers are not notified. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** Id of the last follower notified. */
  after: v.string(),
})

/** As a job: there may be a hundred thousand. */
export async function notifyFollowers(
  tx: Tx,
  { id, seller_id, title, image }: Pick<Held, 'id' | 'seller_id' | 'title' | 'image'>,
  now: Date,
) {
  const one = await tx
    .selectFrom('follow')
    .select('follower_id')
    .where('seller_id', '=', seller_id)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (one === undefined) return
  await enqueue(
    tx,
    'followers',
    {
      listing: id,
      seller: seller_id,
      title,
      image,
      at: now.toISOString(),
      after: '',
    } satisfies v.InferOutput<typeof plan>,
    now,
  )
}

export const followersJob = steppedJob('followers', plan, async (tx, progress, now) => {
  const { listing, seller, title, image, at, after } = progress
  const { rows } = await sql<{ id: string }>`
    select follower_id as id from follow
    where seller_id = ${seller} and ended_at is null and follower_id > ${after} and created_at <= ${new Date(at)}
      and exists (select from listing where id = ${listing} and listed)
    order by follower_id limit ${BATCH}`.execute(tx)
  if (rows.length > 0)
    publish(tx, {
      to: rows.map(({ id }) => id),
      by: seller,
      at: now,
      fact: { event: 'listing.new_from_followed', listing, title, image },
    })
  const last = rows.at(-1)
  return last === undefined || rows.length < BATCH ? null : { ...progress, after: last.id }
})
