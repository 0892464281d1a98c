import { sql } from 'kysely'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Language } from '#schema/wire/shapes'
import { CLOSE, type TypingShown } from '#schema/wire/socket'
import { plannedOnce } from '../db/postgres.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/tables.ts'
import type { Bus, Note } from './bus.ts'
import type { ConversationReads } from './context.ts'
import { readLogs, type Frame } from './feed.ts'

export interface Listener {
  readonly id: string
  readonly user: string
  readonly session: string
  readonly language: Language
  /** It has everything up to this number; null while it replays by itself. */
  place: number | null
  send(text: string): void
  close(code: number): void
}

type Closing = Omit<Extract<Note, { kind: 'close' }>, 'kind'>

const PEOPLE_AT_ONCE = 500
/** They block the process for a few ms. */
const SENDS_AT_ONCE = 500

/**
 * Sends each client of this process the new events of its log, in order. `look` polls for events
 * without a wake.
 */
export function openHub(
  db: Db,
  reads: ConversationReads,
  clock: Clock,
  log: Logger,
  bus: () => Bus,
) {
  const byUser = new Map<string, Set<Listener>>()
  const dirty = new Set<string>()
  let pumping = false
  let sends = 0

  const all = () => [...byUser.values()].flatMap((listeners) => [...listeners])

  function wake(users: Iterable<string>) {
    for (const user of users) if (byUser.has(user)) dirty.add(user)
    if (!pumping && dirty.size > 0) void pump()
  }

  /** One run at a time, which preserves the order. */
  async function pump() {
    pumping = true
    try {
      while (dirty.size > 0) await deliver([...dirty].slice(0, PEOPLE_AT_ONCE))
    } catch (error) {
      // undelivered events are found by the next poll
      log.error({ err: error }, 'events could not be delivered')
      dirty.clear()
    } finally {
      pumping = false
    }
  }

  async function deliver(users: readonly string[]) {
    for (const user of users) dirty.delete(user)
    const cuts = users.flatMap((user) => {
      const places = ready(user).map((listener) => listener.place ?? 0)
      return places.length === 0
        ? []
        : [{ user, after: Math.min(...places), until: Number.MAX_SAFE_INTEGER }]
    })
    for (const { user, frames, reached, more } of await readLogs(db, reads, cuts, clock())) {
      for (const listener of ready(user)) await hand(listener, frames, reached)
      if (more) wake([user])
    }
  }

  const ready = (user: string) =>
    [...(byUser.get(user) ?? [])].filter((listener) => listener.place !== null)

  async function hand(listener: Listener, frames: readonly Frame[], reached: number) {
    for (const frame of frames) {
      if (listener.place === null || frame.seq <= listener.place) continue
      listener.place = frame.seq
      listener.send(frame.textIn(listener.language))
      sends += 1
      if (sends % SENDS_AT_ONCE === 0) await nextIteration()
    }
    if (listener.place !== null && reached > listener.place) listener.place = reached
  }

  function typing(to: string, frame: TypingShown) {
    const text = JSON.stringify(frame)
    for (const listener of byUser.get(to) ?? []) listener.send(text)
  }

  function closeHere(which: Closing) {
    const [sockets, sessions] = [new Set(which.sockets), new Set(which.sessions)]
    for (const listener of all())
      if (sockets.has(listener.id) || sessions.has(listener.session)) listener.close(which.code)
  }

  return {
    wake,
    join(listener: Listener) {
      const listeners = byUser.get(listener.user) ?? new Set()
      byUser.set(listener.user, listeners.add(listener))
    },
    leave(listener: Listener) {
      const listeners = byUser.get(listener.user)
      listeners?.delete(listener)
      if (listeners?.size === 0) byUser.delete(listener.user)
    },
    /** For a client that is not listening. Resolves to the number of events. */
    async replay(listener: Listener, after: number, until: number) {
      let replayed = 0
      let place = after
      while (place < until) {
        const [batch] = await readLogs(
          db,
          reads,
          [{ user: listener.user, after: place, until }],
          clock(),
        )
        if (batch === undefined) break
        for (const frame of batch.frames) listener.send(frame.textIn(listener.language))
        replayed += batch.frames.length
        place = batch.reached
        await nextIteration()
      }
      return replayed
    },
    type(to: string, frame: TypingShown) {
      typing(to, frame)
      bus().send({ kind: 'typing', to, frame })
    },
    close(which: Closing) {
      closeHere(which)
      bus().send({ kind: 'close', ...which })
    },
    received(note: Note) {
      if (note.kind === 'wake') wake(note.users)
      else if (note.kind === 'typing') typing(note.to, note.frame)
      else closeHere(note)
    },
    /** Also finds clients whose session ended (4401) or whose account was suspended (4403). */
    async look() {
      const listeners = all().filter((listener) => listener.place !== null)
      if (listeners.length === 0) return
      const news = await newsOf(db, listeners)
      const close = (code: number, which: (one: News) => boolean) =>
        closeHere({ sockets: news.filter(which).map(({ id }) => id), sessions: [], code })
      close(CLOSE.suspended, ({ suspended }) => suspended)
      close(CLOSE.signedOut, ({ ended, suspended }) => ended && !suspended)
      wake(news.map(({ user_id }) => user_id))
    },
  }
}
export type Hub = ReturnType<typeof openHub>

interface News {
  id: string
  user_id: string
  ended: boolean
  suspended: boolean
}

async function newsOf(db: Db, listeners: readonly Listener[]) {
  const { rows } = await sql<News>`${plannedOnce}
    select c.id, c.user_id, s.id is null as ended, u.suspended_at is not null as suspended
    from unnest(${listeners.map((one) => one.id)}::text[], ${listeners.map((one) => one.user)}::text[],
      ${listeners.map((one) => one.session)}::text[],
      ${listeners.map((one) => one.place ?? 0)}::bigint[]) as c(id, user_id, session_id, place)
    join app_user u on u.id = c.user_id
    left join session s on s.id = c.session_id
    left join event_sequence t on t.user_id = c.user_id
    where t.last > c.place or s.id is null or u.suspended_at is not null`.execute(db)
  return rows
}
