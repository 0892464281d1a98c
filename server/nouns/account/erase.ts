import { sql } from 'kysely'
import type { Tx } from '../../db/tables.ts'
import { avatarFolder } from '../../files/variants.ts'
import { doubt } from '../../files/orphanCheck.ts'
import { peopleChanged } from '../conversation/changes.ts'
import { knownViewer } from '../listing/read/interest.ts'
import { DELETED_NAME } from '#schema/wire/shapes'
import { endSessions } from './session.ts'
import { readRow } from './user.ts'

/** [API 7.7]: an anonymous row remains for messages and reviews. */
export async function eraseAccount(tx: Tx, user: string, now: Date) {
  await endSessions(tx, user)
  // While the account is still one of the participants.
  await peopleChanged(tx, user, null, now)
  await endListings(tx, user, now)
  await endInterests(tx, user)
  await forgetTraces(tx, user)
  const { avatar } = await readRow(tx, user)
  if (avatar !== null) await doubt(tx, avatarFolder(avatar), now)
  await tx
    .updateTable('app_user')
    .set({
      username: DELETED_NAME,
      // Keeps the unique key; no username begins with `~`.
      username_key: `~${user}`,
      email: null,
      email_verified_at: null,
      password_hash: null,
      phone: null,
      avatar: null,
      shop_name: null,
      slug: null,
      bio: '',
      is_moderator: false,
      verified_seller: false,
      updated_at: now,
      deleted_at: now,
    })
    .where('id', '=', user)
    .execute()
}

async function endListings(tx: Tx, user: string, now: Date) {
  await sql`update picture set removed_at = ${now} where owner_id = ${user} and removed_at is null
    and message_id is null`.execute(tx)
  await sql`
    update listing set deleted_at = ${now}, updated_at = ${now}, version = version + 1,
      contact_phone = null, is_featured = false
    where seller_id = ${user} and deleted_at is null`.execute(tx)
}

async function endInterests(tx: Tx, user: string) {
  await sql`update listing_tally t set favorites_count = t.favorites_count - 1 from favorite f
    where f.user_id = ${user} and f.removed_at is null and t.listing_id = f.listing_id`.execute(tx)
  await sql`update app_user u set followers_count = u.followers_count - 1 from follow f
    where f.follower_id = ${user} and f.ended_at is null and u.id = f.seller_id`.execute(tx)
  await sql`update app_user u set following_count = u.following_count - 1 from follow f
    where f.seller_id = ${user} and f.ended_at is null and u.id = f.follower_id`.execute(tx)
  await tx
    .updateTable('app_user')
    .set({ followers_count: 0, following_count: 0 })
    .where('id', '=', user)
    .execute()
  await tx
    .deleteFrom('follow')
    .where((is) => is.or({ follower_id: user, seller_id: user }))
    .execute()
  await tx
    .deleteFrom('block')
    .where((is) => is.or({ blocker_id: user, blocked_id: user }))
    .execute()
}

const OWN = [
  'favorite',
  'saved_search',
  'push',
  'push_account',
  'event',
  'preference',
  'one_time_token',
] as const
const VIEWED = ['listing_view', 'listing_contact', 'search_signal'] as const

async function forgetTraces(tx: Tx, user: string) {
  const viewer = knownViewer({ id: user }, null)
  for (const table of OWN) await tx.deleteFrom(table).where('user_id', '=', user).execute()
  await tx.deleteFrom('idempotency').where('scope', '=', user).execute()
  for (const table of VIEWED) await tx.deleteFrom(table).where('viewer', '=', viewer).execute()
  await tx
    .updateTable('report')
    .set({ reporter: 'deleted', reporter_user_id: null, reporter_address: null })
    .where('reporter_user_id', '=', user)
    .execute()
  await sql`delete from job where kind = 'mail' and payload->>'user' = ${user}`.execute(tx)
}
