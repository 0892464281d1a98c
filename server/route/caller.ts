import { sql } from 'kysely'
import type { Access } from '#schema/wire/call'
import type { Language } from '#schema/wire/shapes'
import { plannedOnce } from '../db/postgres.ts'
import type { Db, Row } from '../db/tables.ts'
import { refuse } from './refusal.ts'
import { hashOf } from './token.ts'

export type Caller = Readonly<{
  id: string
  sessionId: string
  username: string
  language: Language
  isModerator: boolean
  joinedAt: Date
}>

const HOUR = 3_600_000
export const SESSION_MS = 180 * 24 * HOUR

export type StoredReply = Pick<Row<'idempotency'>, 'fingerprint' | 'status' | 'body' | 'location'>

export interface Known {
  readonly caller: Caller | null
  readonly kept: StoredReply | null
}

const NOBODY: Known = { caller: null, kept: null }

/** By the `Authorization` header. Throws `token_invalid` unless the call is open. */
export async function callerOf(
  db: Db,
  header: string | null,
  key: string | null,
  access: Access,
  now: Date,
): Promise<Known> {
  const credentials = header?.trim() ?? ''
  if (credentials === '') return NOBODY
  const token = /^Token ([A-Za-z0-9_-]{43})$/i.exec(credentials)?.[1]
  const known = token === undefined ? NOBODY : await lookUp(db, token, key, now)
  if (known.caller === null && access !== 'open') throw refuse('token_invalid')
  return known
}

export const callerByToken = async (db: Db, token: string, now: Date) =>
  (await lookUp(db, token, null, now)).caller

type Found = Caller &
  Omit<StoredReply, 'fingerprint'> & { fingerprint: Buffer | null; lastUsedAt: Date }

/** Updates the last use at most once an hour. */
async function lookUp(db: Db, token: string, key: string | null, now: Date) {
  const { rows } = await sql<Found>`${plannedOnce}
    select u.id, s.id as "sessionId", u.username, u.language, u.is_moderator as "isModerator",
      u.joined_at as "joinedAt", s.last_used_at as "lastUsedAt",
      i.fingerprint, i.status, i.body, i.location
    from session s join app_user u on u.id = s.user_id left join idempotency i on i.scope = u.id and i.key = ${key}
    where s.token_hash = ${hashOf(token)} and u.deleted_at is null and u.suspended_at is null`.execute(
    db,
  )
  if (rows[0] === undefined) return NOBODY
  const { fingerprint, status, body, location, lastUsedAt, ...caller } = rows[0]
  const unused = now.getTime() - lastUsedAt.getTime()
  if (unused > SESSION_MS) return NOBODY
  if (unused > HOUR)
    await db
      .updateTable('session')
      .set({ last_used_at: now })
      .where('id', '=', caller.sessionId)
      .execute()
  return { caller, kept: fingerprint === null ? null : { fingerprint, status, body, location } }
}
