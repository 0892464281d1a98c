import type { Generated } from 'kysely'

export interface PushTables {
  push_subscription: {
    id: string
    user_id: string
    session_id: string
    endpoint: string
    p256dh: string
    auth: string
    user_agent: string
    lang: 'fr' | 'en'
    failures: Generated<number>
    created_at: Date
    used_at: Date
  }
  push: {
    event_id: string
    user_id: string
    run_at: Date
    events: Generated<number>
    quiet: Generated<boolean>
    created_at: Date
  }
  push_account: { user_id: string; sent_at: Generated<Date[]> }
  push_delivery: {
    event_id: string
    subscription_id: string
    user_id: string
    events: number
    summary: boolean
    run_at: Date
    attempts: Generated<number>
    locked_until: Date | null
    created_at: Date
  }
}
