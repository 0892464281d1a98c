export interface FavouriteTables {
  favorite: {
    user_id: string
    listing_id: string
    created_at: Date
    /** The row remains after removal, for delta reads [API 3]. */
    removed_at: Date | null
    /** The number of its last change in the user's event_sequence. */
    change: number
    changed_at: Date
  }
}
