import type { Db, Row, Tx } from '../../db/tables.ts'
import type { PushOutcome } from '../../webpush/service.ts'

export type Subscription = Row<'push_subscription'>

export async function dropSubscription(tx: Tx, user: string, endpoint: string) {
  await tx
    .deleteFrom('push_subscription')
    .where((is) => is.and({ user_id: user, endpoint }))
    .execute()
}

/** [API 13.2] */
export async function judgeSubscription(db: Db, id: string, kind: PushOutcome['kind'], now: Date) {
  if (kind === 'gone') await db.deleteFrom('push_subscription').where('id', '=', id).execute()
  if (kind === 'sent')
    await db
      .updateTable('push_subscription')
      .set({ failures: 0, used_at: now })
      .where('id', '=', id)
      .execute()
}
