import type { Generated } from 'kysely'

export interface FavouriteTables {
  favorite: {
    user_id: string
    listing_id: string
    created_at: Date
    removed_at: Date | null
    changed_at: Date
    xid: Generated<string>
    revision: Generated<number>
  }
}
