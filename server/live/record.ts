import { sql, type RawBuilder } from 'kysely'
import { plannedOnce } from '../db/postgres.ts'
import type { Tx } from '../db/tables.ts'
import type { Fact, Group } from './fact.ts'

/** An event for one reader before it is known which ways it may go; `list_id` becomes its id in the list of notifications. */
export interface Candidate {
  readonly id: string
  readonly list_id: string
  readonly user_id: string
  readonly name: Fact['event']
  readonly data: Fact
  readonly actor_id: string | null
  readonly conversation_id: string | null
  readonly message_seq: number | null
  /** The conversation goes to the top of the reader's list with so many more unread; null: it stays where it is. */
  readonly unread: number | null
  /** The switches it obeys; null: it is no notification. */
  readonly switches: Group | null
  /** When a mail may tell of it, or null for never. */
  readonly mail_at: string | null
  readonly at: string
}

/** What was written for whom. */
export interface Recorded {
  readonly user_id: string
  readonly push: boolean
  readonly mail: boolean
}

const one = (way: 'in_app' | 'push' | 'email', otherwise: RawBuilder<unknown>) => sql`coalesce(case c.switches
  when 'messages' then ${sql.ref(`p.messages_${way}`)} when 'announcements' then ${sql.ref(`p.announcements_${way}`)} else ${sql.ref(`p.system_${way}`)} end, ${otherwise})`

/**
 * Writes events with their places on the tapes, moves what changed with them, and puts down the pushes and mails that follow:
 * one trip to the database, because every message waits for it. What a reader's switches forbid, and notifications between people
 * who block each other, are left out (API.md 10.6, 12.2). Tapes are taken in the order of their people, so that two transactions
 * never wait for each other here, and stay locked until the commit.
 */
export async function record(tx: Tx, candidates: readonly Candidate[]): Promise<Recorded[]> {
  const told = candidates.some((row) => row.switches !== null)
  const { rows } = await sql<Recorded>`${plannedOnce}
    with candidate as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) as (
        id text, list_id text, user_id text, name text, data jsonb, actor_id text, conversation_id text, message_seq integer, unread integer,
        switches text, mail_at timestamptz, at timestamptz)) with ordinality as c(
        id, list_id, user_id, name, data, actor_id, conversation_id, message_seq, unread, switches, mail_at, at, n)
    ), row as (${told ? allowed : untold}
    ), wanted as (
      select user_id, count(*) as events from row group by user_id
    ), tape_end as (
      insert into tape (user_id, last) select user_id, events from wanted order by user_id collate "C"
      on conflict (user_id) do update set last = tape.last + excluded.last returning user_id, last
    ), placed as (
      select row.*, tape_end.last - wanted.events + row_number() over (partition by row.user_id order by row.n) as seq
      from row join wanted using (user_id) join tape_end using (user_id)
    )${candidates.some((one) => one.name === 'conversation.updated') ? moved : sql``}${candidates.some((one) => one.name === 'notification.read') ? numbered : sql``}${told ? followed : sql``}
    insert into event (id, user_id, seq, name, data, actor_id, conversation_id, message_seq, notification_id, live, change, changed_at, created_at)
    select id, user_id, seq, name, data, actor_id, conversation_id, message_seq, case when listed then list_id end, live, seq, at, at from placed
    returning user_id, ${told ? sql`id in (select event_id from pushed) as push, id in (select id from mailed) as mail` : sql`false as push, false as mail`}`.execute(tx)
  return rows
}

const untold = sql`select c.*, false as listed, true as live, false as push, false as mail from candidate c`

const allowed = sql`
      select * from (
        select c.*, c.switches is not null and ${one('in_app', sql`true`)} as listed, c.switches is null or ${one('in_app', sql`true`)} as live,
          c.switches is not null and ${one('push', sql`true`)} as push, c.mail_at is not null and ${one('email', sql`c.switches = 'system'`)} as mail
        from candidate c left join preference p on p.user_id = c.user_id
        where c.switches is null or c.actor_id is null or not exists (
          select from block b where (b.blocker_id, b.blocked_id) in ((c.actor_id, c.user_id), (c.user_id, c.actor_id)))
      ) way where live or push or mail`

const moved = sql`, moved as (
      update participant set change = placed.seq, updated_at = placed.at, unread = participant.unread + coalesce(placed.unread, 0),
        sorted_at = case when placed.unread is null then participant.sorted_at else placed.at end
      from placed
      where placed.name = 'conversation.updated' and participant.user_id = placed.user_id and participant.conversation_id = placed.conversation_id
    )`

// rows that became read in this transaction wait for their place with a negative one
const numbered = sql`, numbered as (
      update event set change = latest.seq
      from (select user_id, max(seq) as seq from placed where name = 'notification.read' group by user_id) as latest
      where event.user_id = latest.user_id and event.change < 0
    )`

const followed = sql`, pushed as (
      insert into push (event_id, user_id, run_at, created_at)
      select id, user_id, at, at from placed where push and exists (select from push_subscription s where s.user_id = placed.user_id) returning event_id
    ), mailed as (
      insert into job (id, kind, payload, run_at, created_at)
      select id, 'mail', jsonb_build_object('about', 'event', 'user', user_id, 'event', id), mail_at, at from placed where mail returning id
    )`
