import { sql } from 'kysely'
import { pick } from '#schema/pick'
import { afterCommit } from '../../db/open.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { hashOf, newToken } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { sessionsEnded, type EndedSessions } from '../../live/context.ts'

export async function openSession(tx: Tx, user: string, userAgent: string, now: Date) {
  const token = newToken()
  await tx
    .insertInto('session')
    .values({
      id: newId(now.getTime()),
      token_hash: hashOf(token),
      user_id: user,
      user_agent: userAgent,
      created_at: now,
      last_used_at: now,
    })
    .execute()
  return token
}

/** `only` one, all except `keep`, or all [API 7.3], and their push subscriptions. */
export async function endSessions(
  tx: Tx,
  user: string,
  which: { only?: string; keep?: string } = {},
  code: EndedSessions['code'] = 4401,
) {
  let ending = tx.deleteFrom('session').where('user_id', '=', user)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.keep !== undefined) ending = ending.where('id', '<>', which.keep)
  const gone = await ending.returning('id').execute()
  const sessions = gone.map((row) => row.id)
  if (sessions.length > 0) afterCommit(() => sessionsEnded.emit({ sessions, code }))
}

export async function readSessions(db: Db, user: string, current: string) {
  const rows = await db
    .selectFrom('session as s')
    .select([
      's.id',
      's.user_agent',
      's.created_at',
      's.last_used_at',
      sql<boolean>`exists (select from push_subscription p where p.session_id = s.id)`.as('push'),
    ])
    .where('s.user_id', '=', user)
    .orderBy('s.last_used_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
  return rows.map((row) => ({
    ...pick(row, ['id', 'user_agent', 'push']),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    current: row.id === current,
  }))
}
