import { sql, type RawBuilder } from 'kysely'
import { DELTA_PAGE, DELTA_PAGE_MAX } from '#schema/limits'
import type { Db } from '../db/tables.ts'
import { linkTo, type Listed, refuse } from '../route/index.ts'
import {
  behind,
  readCursor,
  writeCursor,
  type CursorScope,
  type Place,
  type Start,
} from './cursor.ts'
import { sequenceOf } from './sequence.ts'

export const changedAfter = (
  start: Start,
  id: string,
  change: string,
  at: string,
): RawBuilder<unknown> =>
  'since' in start
    ? sql`${sql.ref(at)} >= ${start.since}`
    : sql`(${sql.ref(change)}, ${sql.ref(id)}) > (${start.after.change}::bigint, ${start.after.id})`

export async function deltasOf(db: Db, list: CursorScope['list'], user: string, now: Date) {
  const log = await sequenceOf(db, user)
  const scope = { list, user, epoch: log.epoch }
  const end = behind(log.last)
  return {
    cursor: writeCursor(scope, end, now),

    /**
     * One page of the rows changed after `query[name]`. `find` reads in the order of places. Throws
     * 410.
     */
    async page<Row>(
      { path, query }: Listed,
      name: string,
      find: (start: Start, limit: number) => Promise<readonly Row[]>,
      placeOf: (row: Row) => Place,
    ) {
      const start = readCursor(String(query[name]), scope, now)
      if (start === null || ('after' in start && start.after.change > log.last))
        throw refuse('cursor_expired')
      const size = Math.min(query.page_size ?? DELTA_PAGE, DELTA_PAGE_MAX)
      const found = await find(start, size + 1)
      const shown = found.slice(0, size)
      const last = shown.at(-1)
      const rest = 'after' in start ? start.after : end
      const cursor = writeCursor(scope, last === undefined ? rest : placeOf(last), now)
      const next = found.length > size ? linkTo(path, { ...query, [name]: cursor }) : null
      return { shown, next, cursor }
    },
  }
}
