import { sql } from 'kysely'
import type { Conversation } from '#schema/wire/conversation'
import type { Message } from '#schema/wire/message'
import type { Language } from '#schema/wire/shapes'
import type { ServerEvent } from '#schema/wire/event'
import { plannedOnce } from '../db/postgres.ts'
import type { Db } from '../db/tables.ts'
import type { ConversationReads } from './context.ts'
import type { Fact } from './fact.ts'
import { eventColumns, loggedEventOf, type EventRow } from './log.ts'
import { render, type LoggedEvent } from './render.ts'

type Cut = Readonly<{
  user: string
  after: number
  until: number
}>

export interface Frame {
  readonly seq: number
  readonly eventId: string
  /** [API 14.4]; cached per language. */
  textIn(language: Language): string
}

type Batch = Readonly<{
  user: string
  frames: readonly Frame[]
  reached: number
  more: boolean
}>

type Row = EventRow & { reader: string; last: number }

const PER_PERSON = 100

/**
 * At most 100 events of each log, with conversations in their current state [D103]. Three queries,
 * whatever the number of users.
 */
export async function readLogs(
  db: Db,
  reads: ConversationReads,
  cuts: readonly Cut[],
  now: Date,
): Promise<Batch[]> {
  if (cuts.length === 0) return []
  // in the same snapshot as the events: a log without new ones is known to be read to its end
  const { rows } = await sql<Row>`${plannedOnce}
    select cut.user_id as reader, t.last, ${eventColumns}
    from unnest(${cuts.map((cut) => cut.user)}::text[], ${cuts.map((cut) => cut.after)}::bigint[],
      ${cuts.map((cut) => cut.until)}::bigint[])
      as cut(user_id, after, until)
    join event_sequence t on t.user_id = cut.user_id
    left join lateral (
      select * from event where event.user_id = cut.user_id and event.live
        and event.seq > cut.after and event.seq <= cut.until
      order by event.seq limit ${PER_PERSON}
    ) e on true
    left join app_user a on a.id = e.actor_id
    order by e.seq`.execute(db)
  const byReader = Map.groupBy(rows, (row) => row.reader)
  const tellable = rows
    .filter((row) => row.id !== null)
    .map((row) => ({ row, logged: loggedEventOf(row) }))
  const extras = await extrasOf(
    db,
    reads,
    tellable.map(({ row, logged }) => ({ reader: row.reader, fact: logged.fact })),
    now,
  )
  const frames = Map.groupBy(tellable, ({ row }) => row.reader)
  return cuts.flatMap((cut) => {
    const last = byReader.get(cut.user)?.[0]?.last
    if (last === undefined) return []
    const mine = frames.get(cut.user) ?? []
    const more = mine.length === PER_PERSON
    const reached = more ? (mine.at(-1)?.row.seq ?? cut.after) : Math.min(cut.until, last)
    return [
      {
        user: cut.user,
        frames: mine.map(({ row, logged }) =>
          frameOf(row, logged, extras(row.reader, logged.fact)),
        ),
        reached,
        more,
      },
    ]
  })
}

interface Extras {
  readonly conversation?: Conversation
  readonly message?: Message
}

async function extrasOf(
  db: Db,
  reads: ConversationReads,
  logged: readonly { reader: string; fact: Fact }[],
  now: Date,
): Promise<(reader: string, fact: Fact) => Extras> {
  const seen = new Map(
    logged.flatMap(({ reader, fact }) =>
      'conversation' in fact
        ? [[`${reader} ${fact.conversation}`, { reader, conversation: fact.conversation }]]
        : [],
    ),
  )
  const conversations = await reads.conversations(db, [...seen.values()], now)
  const written = logged.flatMap(({ reader, fact }) =>
    fact.event === 'message.created'
      ? [{ reader, conversation: fact.conversation, seq: fact.message.seq }]
      : [],
  )
  const messages = await reads.messages(db, written)
  return (reader, fact) => {
    if (!('conversation' in fact)) return {}
    const conversation = conversations(reader, fact.conversation)
    const message =
      fact.event === 'message.created'
        ? messages(reader, fact.conversation, fact.message.seq)
        : undefined
    return { ...(conversation && { conversation }), ...(message && { message }) }
  }
}

function frameOf(row: EventRow, logged: LoggedEvent, extras: Extras): Frame {
  const rendered = new Map<Language, string>()
  return {
    seq: row.seq,
    eventId: logged.eventId,
    textIn(language) {
      const known = rendered.get(language)
      if (known !== undefined) return known
      const { message, ...rest } = render(logged, language)
      const frame: ServerEvent = {
        ...rest,
        message: extras.message ?? (typeof message === 'string' ? message : ''),
        ...(extras.conversation && { conversation: extras.conversation }),
      }
      const text = JSON.stringify(frame)
      rendered.set(language, text)
      return text
    },
  }
}
