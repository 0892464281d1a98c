import type { Db } from '../../db/tables.ts'

export async function isBlocked(db: Db, one: string, other: string): Promise<boolean> {
  const row = await db
    .selectFrom('block')
    .select('blocker_id')
    .where('blocker_id', 'in', [one, other])
    .where('blocked_id', 'in', [one, other])
    .executeTakeFirst()
  return row !== undefined
}
