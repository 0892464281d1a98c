import { sql } from 'kysely'
import * as wire from '#schema/wire/block'
import { readRoute, refuseField, created, writeRoute, type Route } from '../../route/index.ts'
import { peopleChanged } from '../conversation/changes.ts'
import { endFollow } from '../follow/routes.ts'
import { requireUser, miniColumns, miniOf, type MiniRow } from '../shop/person.ts'

export const blockRoutes: readonly Route[] = [
  readRoute(wire.listBlocks, async ({ db, me }) => {
    const { rows } = await sql<{ mini: MiniRow }>`
    select ${miniColumns('u')} as mini from block b join app_user u on u.id = b.blocked_id
      where b.blocker_id = ${me.id} order by b.created_at desc, u.id desc`.execute(db)
    return { count: rows.length, results: rows.map(({ mini }) => miniOf(mini)) }
  }),

  /** [API 10.6] */
  writeRoute(wire.addBlock, async ({ body, me, now }, tx) => {
    const other = body.user_id
    if (other === me.id) throw refuseField('user_id', 'invalid')
    await requireUser(tx, other)
    const { numInsertedOrUpdatedRows: added = 0n } = await tx
      .insertInto('block')
      .values({ blocker_id: me.id, blocked_id: other, created_at: now })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    if (added > 0n) {
      await endFollow(tx, me.id, other, now)
      await endFollow(tx, other, me.id, now)
      await peopleChanged(tx, me.id, other, now)
    }
    return created({ user_id: other, blocked: true as const }, added > 0n)
  }),

  writeRoute(wire.removeBlock, async ({ me, now, params }, tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('block')
      .where('blocker_id', '=', me.id)
      .where('blocked_id', '=', params.id)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await peopleChanged(tx, me.id, params.id, now)
  }),
]
