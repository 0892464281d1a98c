export interface FavouriteTables {
  favorite: {
    user_id: string
    listing_id: string
    created_at: Date
    /** A removed favourite keeps its row for the delta read [API 3]. */
    removed_at: Date | null
    /** The place of its last change on the person's event_sequence. */
    change: number
    changed_at: Date
  }
}
