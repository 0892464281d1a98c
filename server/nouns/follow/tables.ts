export interface FollowTables {
  follow: {
    follower_id: string
    seller_id: string
    created_at: Date
    ended_at: Date | null
    told_at: Date | null
  }
}
