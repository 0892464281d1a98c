import type { AccountDocument } from '#schema/disk/documents'
import { user } from '#schema/wire/account'
import { EPOCH, fill, idOf, members, moment, text } from '../tolerant.ts'

/** null: not a user. */
export function readAccount(body: unknown): AccountDocument | null {
  const { id: given, username, slug, date_joined, updated_at } = members(body)
  const id = idOf(given)
  if (id === null || text(username) === null) return null
  return {
    id: 'me',
    user: fill(user.entries, body, {
      slug: text(slug) ?? id,
      updated_at: moment(updated_at) ?? moment(date_joined) ?? EPOCH,
    }),
  }
}
