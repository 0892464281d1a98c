import type { AccountDocument } from '#schema/disk/documents'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'
import { amount, EPOCH, flag, idOf, members, moment, text } from '../tolerant.ts'

/** null: not a user. */
export function readAccount(body: unknown): AccountDocument | null {
  const object = members(body)
  const id = idOf(object['id'])
  const username = text(object['username'])
  if (id === null || username === null) return null
  const counters = members(object['counters'])
  const joined = moment(object['date_joined']) ?? EPOCH
  return {
    id: 'me',
    user: {
      id,
      username,
      email: text(object['email']) ?? '',
      email_verified: flag(object['email_verified']) ?? false,
      phone: text(object['phone']),
      avatar: text(object['avatar']),
      shop_name: text(object['shop_name']),
      slug: text(object['slug']) ?? id,
      bio: text(object['bio']) ?? '',
      followers_count: amount(object['followers_count']) ?? 0,
      following_count: amount(object['following_count']) ?? 0,
      items_sold: amount(object['items_sold']) ?? 0,
      years_on_platform: amount(object['years_on_platform']) ?? 0,
      date_joined: joined,
      verified_seller: flag(object['verified_seller']) ?? false,
      is_moderator: flag(object['is_moderator']) ?? false,
      typical_response_hours: amount(object['typical_response_hours']),
      language: v.is(language, object['language']) ? object['language'] : 'fr',
      counters: {
        unread_messages: amount(counters['unread_messages']) ?? 0,
        unread_conversations: amount(counters['unread_conversations']) ?? 0,
        unread_notifications: amount(counters['unread_notifications']) ?? 0,
      },
      updated_at: moment(object['updated_at']) ?? joined,
    },
  }
}
