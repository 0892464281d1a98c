import type { Generated } from 'kysely'

export interface AccountTables {
  app_user: {
    id: string
    username: string
    username_key: string
    email: string | null
    email_verified_at: Date | null
    password_hash: string | null
    phone: string | null
    avatar: string | null
    shop_name: string | null
    slug: string | null
    bio: Generated<string>
    language: 'fr' | 'en'
    verified_seller: Generated<boolean>
    is_moderator: Generated<boolean>
    followers_count: Generated<number>
    following_count: Generated<number>
    items_sold: Generated<number>
    rating_count: Generated<number>
    rating_sum: Generated<number>
    typical_response_hours: number | null
    joined_at: Date
    updated_at: Date
    suspended_at: Date | null
    suspended_reason: string | null
    deleted_at: Date | null
  }
  user_slug: { slug: string; user_id: string }
  session: {
    id: string
    token_hash: Buffer
    user_id: string
    user_agent: string
    created_at: Date
    last_used_at: Date
  }
  one_time_token: {
    token_hash: Buffer
    user_id: string
    purpose: 'verify' | 'reset'
    email: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
    ended_at: Date | null
  }
}
