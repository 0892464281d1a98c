import type { Conversation } from '#schema/wire/conversation'
import type { ListingDetail } from '#schema/wire/listing'
import type { Message } from '#schema/wire/message'
import type { Caller } from '../../route/index.ts'
import type { Db } from '../../db/tables.ts'
import { newestConversations } from '../conversation/queries.ts'
import { readDetail, type Viewer } from '../listing/read/detail.ts'
import { messagesOf } from '../message/queries.ts'
import { preferencesOf } from '../notification/preferences.ts'
import { readSessions } from './session.ts'
import { readUser } from './user.ts'

export async function exportAccount(db: Db, { id: user, sessionId }: Caller, viewer: Viewer) {
  const { now } = viewer
  return {
    exported_at: now.toISOString(),
    user: await readUser(db, user, now),
    sessions: await readSessions(db, user, sessionId),
    listings: await listings(db, viewer, user),
    conversations: await conversations(db, user, now),
    favorites: await db
      .selectFrom('favorite')
      .select(['listing_id', 'created_at'])
      .where('user_id', '=', user)
      .where('removed_at', 'is', null)
      .orderBy('created_at')
      .execute(),
    saved_searches: await db
      .selectFrom('saved_search')
      .select(['id', 'name', 'params', 'alerts', 'created_at', 'last_run_at'])
      .where('user_id', '=', user)
      .orderBy('created_at')
      .execute(),
    reviews: await db
      .selectFrom('review')
      .select(['id', 'seller_id', 'rating', 'comment', 'created_at', 'updated_at'])
      .where('author_id', '=', user)
      .orderBy('id')
      .execute(),
    reports: await db
      .selectFrom('report')
      .select(['id', 'category', 'message', 'listing_id', 'user_id', 'created_at'])
      .where('reporter_user_id', '=', user)
      .orderBy('id')
      .execute(),
    preferences: await preferencesOf(db, user),
  }
}

async function listings(db: Db, viewer: Viewer, user: string) {
  const rows = await db
    .selectFrom('listing')
    .select('id')
    .where('seller_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const found: ListingDetail[] = []
  for (const { id } of rows) found.push(await readDetail(db, id, viewer))
  return found
}

const PAGE = 100

async function conversations(db: Db, user: string, now: Date) {
  const found: (Conversation & { messages: Message[] })[] = []
  for (let offset = 0; ; offset += PAGE) {
    const page = await newestConversations(db, user, '', { offset, size: PAGE }, now)
    for (const conversation of page.rows)
      found.push({ ...conversation, messages: await messages(db, user, conversation.id) })
    if (offset + PAGE >= page.count) return found
  }
}

async function messages(db: Db, user: string, conversation: string) {
  const found: Message[] = []
  for (;;) {
    const page = await messagesOf(db, user, conversation, { after: found.at(-1)?.seq ?? 0 }, PAGE)
    found.push(...page)
    if (page.length < PAGE) return found
  }
}
