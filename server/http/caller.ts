import { createHash, randomBytes } from 'node:crypto'
import type { Access } from '#schema/wire/call'
import type { Language } from '#schema/wire/shapes'
import type { Db } from '../db/tables.ts'
import { refuse } from './refusal.ts'

/** The signed-in person behind a request. */
export interface Caller {
  readonly id: string
  readonly sessionId: string
  readonly username: string
  readonly language: Language
  readonly isModerator: boolean
  readonly joinedAt: Date
}

const HOUR = 3_600_000
/** A session ends so long after its last use (API.md 7.3). */
export const SESSION_MS = 180 * 24 * HOUR

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
/** 32 random bytes as 43 characters; the database keeps only `hashOf` it. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Who calls, by the `Authorization` header; null for a visitor. Throws `token_invalid` unless the call ignores bad tokens. */
export async function callerOf(db: Db, header: string | null, access: Access, now: Date): Promise<Caller | null> {
  const word = header?.trim() ?? ''
  if (word === '') return null
  const token = /^Token ([A-Za-z0-9_-]{43})$/i.exec(word)?.[1]
  const caller = token === undefined ? null : await callerByToken(db, token, now)
  if (caller === null && access !== 'open') throw refuse('token_invalid')
  return caller
}

/** The person of a live session, or null; notes the use at most once an hour. */
export async function callerByToken(db: Db, token: string, now: Date): Promise<Caller | null> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id as session_id', 's.last_used_at', 'u.id', 'u.username', 'u.language', 'u.is_moderator', 'u.joined_at'])
    .where('s.token_hash', '=', hashOf(token))
    .where('u.deleted_at', 'is', null)
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || now.getTime() - row.last_used_at.getTime() > SESSION_MS) return null
  if (now.getTime() - row.last_used_at.getTime() > HOUR) await db.updateTable('session').set({ last_used_at: now }).where('id', '=', row.session_id).execute()
  return { id: row.id, sessionId: row.session_id, username: row.username, language: row.language, isModerator: row.is_moderator, joinedAt: row.joined_at }
}
