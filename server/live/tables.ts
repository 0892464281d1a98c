import type { Generated } from 'kysely'

export interface LiveTables {
  event_sequence: { user_id: string; last: number }
  event: {
    id: string
    user_id: string
    seq: number
    name: string
    data: unknown
    actor_id: string | null
    conversation_id: string | null
    message_seq: number | null
    notification_id: string | null
    live: boolean
    read_at: Date | null
    change: number
    changed_at: Date
    created_at: Date
  }
  live_process: { id: string; seen_at: Date }
  live_socket: {
    id: string
    process_id: string
    user_id: string
    session_id: string
    visible: Generated<boolean>
    opened_at: Date
  }
}
