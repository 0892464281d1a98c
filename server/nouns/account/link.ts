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
    .where('user_id', '=', user)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}

export async function findLink(db: Db, user: string, token: string, purpose: Purpose) {
  const row = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('user_id', '=', user)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row ?? null
}

export const isLive = (link: LinkRow, now: Date) =>
  link.used_at === null && link.ended_at === null && link.expires_at > now

export async function useLink(tx: Tx, link: LinkRow, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where('token_hash', '=', link.token_hash)
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
