import type { Db } from './tables.ts'

/** The random word of this database (migration 001): a restored copy must get another one, so that old cursors fail. */
export async function epochOf(db: Db): Promise<string> {
  return (await db.selectFrom('setting').select('value').where('name', '=', 'epoch').executeTakeFirstOrThrow()).value
}
