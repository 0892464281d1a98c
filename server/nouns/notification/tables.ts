import type { Generated } from 'kysely'

export interface NotificationTables {
  preference: {
    user_id: string
    messages_in_app: Generated<boolean>
    messages_push: Generated<boolean>
    messages_email: Generated<boolean>
    announcements_in_app: Generated<boolean>
    announcements_push: Generated<boolean>
    announcements_email: Generated<boolean>
    system_in_app: Generated<boolean>
    system_push: Generated<boolean>
    system_email: Generated<boolean>
    quiet_enabled: Generated<boolean>
    quiet_start: Generated<string>
    quiet_end: Generated<string>
    quiet_timezone: Generated<string>
    updated_at: Date
  }
}
