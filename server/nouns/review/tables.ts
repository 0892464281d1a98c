import type { Generated } from 'kysely'

export interface ReviewTables {
  review: {
    id: string
    seller_id: string
    author_id: string
    rating: number
    comment: Generated<string>
    created_at: Date
    updated_at: Date
  }
}
