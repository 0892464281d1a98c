import type { Db, Row, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'
import { sql } from 'kysely'
import { refuse } from '../../route/index.ts'
import { publishRead } from '../notification/queries.ts'
import { joinPeer } from '../message/queries.ts'

/** [API 14.4] */
export async function listingChanged(tx: Tx, listing: string, now: Date) {
  await publishChanged(tx, participants(tx).where('c.listing_id', '=', listing), now)
}

/** [API 14.4]: a block (`other`) or the account's state (null) changed who may write. */
export async function peopleChanged(tx: Tx, person: string, other: string | null, now: Date) {
  let query = participants(tx)
  for (const one of other === null ? [person] : [person, other])
    query = query.where((either) => either.or({ 'c.buyer_id': one, 'c.seller_id': one }))
  await publishChanged(tx, query, now)
}

function participants(db: Db) {
  return db
    .selectFrom('conversation as c')
    .innerJoin('participant as p', (on) =>
      on
        .onRef('p.conversation_id', '=', 'c.id')
        .on(({ eb, ref }) => eb(ref('p.user_id'), 'in', [ref('c.buyer_id'), ref('c.seller_id')])),
    )
    .select(['c.id', 'c.listing_id', 'p.user_id'])
    .orderBy('c.id')
}

async function publishChanged(tx: Tx, changed: ReturnType<typeof participants>, now: Date) {
  for (const { id, listing_id, user_id } of await changed.execute())
    conversationChanged(tx, user_id, { conversation: id, listing: listing_id }, now)
}

export const conversationChanged = (
  tx: Tx,
  to: string | readonly string[],
  which: { conversation: string; listing: string },
  now: Date,
  unread?: number,
) =>
  publish(tx, {
    to,
    at: now,
    ...(unread !== undefined && { unread }),
    fact: { event: 'conversation.updated', ...which },
  })

/** Bounds a frame of read ids far below 64 KB. */
const IDS_PER_EVENT = 500

/**
 * Advances to `upTo` (null: the newest) [API 11.6], never back; throws 404 for a non-participant.
 */
export async function markRead(
  tx: Tx,
  reader: string,
  conversation: string,
  upTo: number | null,
  now: Date,
) {
  const side = await lock(tx, reader, conversation)
  const mark = Math.min(upTo ?? side.last_seq, side.last_seq)
  if (mark <= side.read_until) return { my_read_until: side.read_until, unread_count: side.unread }
  const unread_count = await move(tx, reader, conversation, mark)
  await readNotifications(tx, reader, conversation, mark, now)
  const readers = side.peer === null ? [reader] : [reader, side.peer]
  conversationChanged(tx, readers, { conversation, listing: side.listing_id }, now)
  return { my_read_until: mark, unread_count }
}

/** The lock of a send, so the counts cannot change meanwhile. */
async function lock(tx: Tx, reader: string, conversation: string) {
  await sql`select from conversation where id = ${conversation} for update`.execute(tx)
  const { rows } = await sql<
    Pick<Row<'conversation'>, 'last_seq' | 'listing_id'> &
      Pick<Row<'participant'>, 'read_until' | 'unread'> & { peer: string | null }
  >`
    select c.last_seq, c.listing_id, p.read_until, p.unread, peer.user_id as peer
    from participant p
    join conversation c on c.id = p.conversation_id ${joinPeer}
    where p.user_id = ${reader} and p.conversation_id = ${conversation}`.execute(tx)
  const [side] = rows
  if (side === undefined) throw refuse('not_found')
  return side
}

async function move(tx: Tx, reader: string, conversation: string, mark: number) {
  const { rows } = await sql<{ unread: number }>`
    update participant set read_until = ${mark},
      unread = (select count(*)::int from message where conversation_id = ${conversation}
        and seq > ${mark} and sender_id <> ${reader})
    where user_id = ${reader} and conversation_id = ${conversation}
    returning unread`.execute(tx)
  return rows[0]?.unread ?? 0
}

/** `publish` assigns the rows their change number. */
async function readNotifications(
  tx: Tx,
  reader: string,
  conversation: string,
  mark: number,
  now: Date,
) {
  const { rows } = await sql<{ notification_id: string }>`
    update event set read_at = ${now}, changed_at = ${now}, change = -1
    where user_id = ${reader} and conversation_id = ${conversation} and message_seq <= ${mark}
      and notification_id is not null and read_at is null
    returning notification_id`.execute(tx)
  const ids = rows.map((row) => row.notification_id)
  for (let from = 0; from < ids.length; from += IDS_PER_EVENT)
    publishRead(tx, reader, { ids: ids.slice(from, from + IDS_PER_EVENT), upTo: null }, now)
}
