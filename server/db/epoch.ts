import type { Db } from './tables.ts'

const epochs = new WeakMap<Db, Promise<string>>()

/** The random id of this database. A restored copy gets a new one, so that old cursors fail. */
export function epochOf(db: Db) {
  const known = epochs.get(db)
  if (known !== undefined) return known
  const epoch = db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'epoch')
    .executeTakeFirstOrThrow()
    .then((row) => row.value)
  epoch.catch(() => epochs.delete(db))
  epochs.set(db, epoch)
  return epoch
}
