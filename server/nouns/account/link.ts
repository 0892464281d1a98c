import type { Db, Row, Tx } from '../../db/tables.ts'
import { hashOf, newToken } from '../../route/index.ts'

export type LinkRow = Row<'one_time_token'>
type Purpose = LinkRow['purpose']

const HOUR = 3_600_000
const LIFE: Record<Purpose, number> = { verify: 48 * HOUR, reset: 2 * HOUR }

/** Returns the token. Older ones end [API 7.5, API 7.6]. */
export async function newLink(
  tx: Tx,
  { user, purpose, email }: { user: string; purpose: Purpose; email: string },
  now: Date,
) {
  const token = newToken()
  await endLinks(tx, user, purpose, now)
  await tx
    .insertInto('one_time_token')
    .values({
      token_hash: hashOf(token),
      user_id: user,
      purpose,
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE[purpose]),
    })
    .execute()
  return token
}

export async function endLinks(tx: Tx, user: string, purpose: Purpose, now: Date) {
  await tx
    .updateTable('one_time_token')
    .set({ ended_at: now })
    .where((is) => is.and({ user_id: user, purpose, used_at: null, ended_at: null }))
    .execute()
}

export async function findLink(db: Db, user: string, token: string, purpose: Purpose) {
  const row = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where((is) => is.and({ user_id: user, purpose }))
    .executeTakeFirst()
  return row ?? null
}

export const isLive = (link: LinkRow, now: Date) =>
  link.used_at === null && link.ended_at === null && link.expires_at > now

export async function useLink(tx: Tx, link: LinkRow, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where((is) => is.and({ token_hash: link.token_hash, used_at: null, ended_at: null }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
