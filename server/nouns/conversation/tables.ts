import type { Generated } from 'kysely'

export interface ConversationTables {
  conversation: {
    id: string
    listing_id: string
    buyer_id: string
    seller_id: string
    last_seq: Generated<number>
    last_at: Generated<Date | null>
    created_at: Date
  }
  participant: {
    user_id: string
    conversation_id: string
    read_until: Generated<number>
    unread: Generated<number>
    sorted_at: Date
    change: Generated<number>
    updated_at: Date
    mailed_at: Generated<Date | null>
  }
  message: {
    id: string
    conversation_id: string
    seq: number
    sender_id: string
    content: string
    attachment: unknown
    client_id: string | null
    fingerprint: Buffer | null
    created_at: Date
  }
}
