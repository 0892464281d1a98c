import { MARK, plannedAs, type Planned } from '../db/postgres.ts'
import { EVENT } from '../mail/order.ts'
import type { Fact, Group } from './fact.ts'

/** Before the reader's settings; `list_id` becomes the notification id. */
export type Candidate = Readonly<{
  id: string
  list_id: string
  user_id: string
  name: Fact['event']
  data: Fact
  actor_id: string | null
  conversation_id: string | null
  message_seq: number | null
  /** null: the conversation is not moved. */
  unread: number | null
  switches: Group | null
  mail_at: string | null
  at: string
}>

export type Recorded = Readonly<{
  user_id: string
  push: boolean
  mail: boolean
}>

/**
 * One statement, since every message waits for it. What settings and blocks forbid is left out
 * [API 10.6, API 12.2]; its numbers stay unused.
 */
export function recording(candidates: readonly Candidate[]): Planned<Recorded> {
  const groups = GROUPS.filter((group) => candidates.some((row) => row.switches === group))
  const has = (name: Fact['event']) => candidates.some((row) => row.name === name)
  const { rows, people, counts } = counted(candidates)
  return plannedAs(textOf(groups, has('conversation.updated'), has('notification.read')), [
    people,
    counts,
    rows,
  ])
}

const texts = new Map<string, string>()

function textOf(groups: readonly Group[], moves: boolean, reads: boolean) {
  const name = `${groups.join()} ${moves} ${reads}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const hasEvents = groups.length > 0
  const text = `${MARK}
    with sequence_end as (
      insert into event_sequence (user_id, last) select * from unnest($1::text[], $2::bigint[])
      on conflict (user_id) do update set last = event_sequence.last + excluded.last returning user_id, last
    ), placed as (
      select c.*, sequence_end.last - c.later as seq, ${hasEvents ? ways(groups) : 'false as listed, true as live'}
      from jsonb_to_recordset($3::jsonb) as c(
        id text, list_id text, user_id text, name text, data jsonb, actor_id text, conversation_id text,
        message_seq integer, unread integer,
        switches text, mail_at timestamptz, at timestamptz, later integer)
      join sequence_end on sequence_end.user_id = c.user_id ${hasEvents ? allowed(groups) : ''}
    )${moves ? moved : ''}${reads ? numbered : ''}${hasEvents ? followed : ''}
    insert into event (id, user_id, seq, name, data, actor_id, conversation_id, message_seq,
      notification_id, live, change, changed_at, created_at)
    select id, user_id, seq, name, data, actor_id, conversation_id, message_seq,
      case when listed then list_id end, live, seq, at, at from placed
    returning user_id, ${
      hasEvents
        ? 'exists (select from pushed) as push, exists (select from mailed) as mail'
        : 'false as push, false as mail'
    }`
  texts.set(name, text)
  return text
}

/**
 * `later`: later events of the reader. Readers are sorted: one order of locks prevents deadlocks.
 */
function counted(candidates: readonly Candidate[]) {
  const counts = new Map<string, number>()
  const rows = candidates.toReversed().map((row) => {
    const later = counts.get(row.user_id) ?? 0
    counts.set(row.user_id, later + 1)
    return { ...row, later }
  })
  const people = [...counts.keys()].toSorted()
  return { rows: JSON.stringify(rows), people, counts: people.map((person) => counts.get(person)) }
}

const GROUPS: readonly Group[] = ['messages', 'announcements', 'system']

/** Unused groups are left out: PostgreSQL prepares each branch at every call. */
function way(groups: readonly Group[], name: 'in_app' | 'push' | 'email') {
  const of = (group: Group) =>
    `coalesce(p.${group}_${name}, ${name !== 'email' || group === 'system'})`
  return groups.length === 1
    ? groups.map(of).join()
    : `case c.switches ${groups.map((group) => `when '${group}' then ${of(group)}`).join(' ')} end`
}

const ways = (
  groups: readonly Group[],
) => `c.switches is not null and ${way(groups, 'in_app')} as listed,
        c.switches is null or ${way(groups, 'in_app')} as live,
        c.switches is not null and ${way(groups, 'push')} as push,
        c.mail_at is not null and ${way(groups, 'email')} as mail`

const allowed = (groups: readonly Group[]) => `left join preference p on p.user_id = c.user_id
      where c.switches is null or ((${way(groups, 'in_app')} or ${way(groups, 'push')}
        or (c.mail_at is not null and ${way(groups, 'email')}))
        and (c.actor_id is null or not exists (
          select from block b
          where (b.blocker_id, b.blocked_id) in ((c.actor_id, c.user_id), (c.user_id, c.actor_id)))))`

const moved = `, moved as (
      update participant set change = placed.seq, updated_at = placed.at,
        unread = participant.unread + coalesce(placed.unread, 0),
        sorted_at = case when placed.unread is null then participant.sorted_at else placed.at end
      from placed
      where placed.name = 'conversation.updated' and participant.user_id = placed.user_id
        and participant.conversation_id = placed.conversation_id
    )`

// rows read in this transaction have a negative change until now
const numbered = `, numbered as (
      update event set change = latest.seq
      from (select user_id, max(seq) as seq from placed where name = 'notification.read' group by user_id) as latest
      where event.user_id = latest.user_id and event.change < 0
    )`

const followed = `, pushed as (
      insert into push (event_id, user_id, run_at, created_at)
      select id, user_id, at, at from placed where push and exists (
        select from push_subscription s where s.user_id = placed.user_id) returning event_id
    ), mailed as (
      insert into job (id, kind, payload, priority, run_at, created_at)
      select id, 'mail', jsonb_build_object('about', 'event', 'user', user_id, 'event', id), ${EVENT}, mail_at, at
      from placed where mail returning id
    )`
