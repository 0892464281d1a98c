import type { Generated } from 'kysely'

export interface ReportTables {
  report: {
    id: string
    category: 'spam' | 'fraud' | 'inappropriate' | 'other'
    message: Generated<string>
    listing_id: string | null
    user_id: string | null
    reporter: string
    reporter_user_id: string | null
    reporter_address: string | null
    created_at: Date
    closed_at: Date | null
    note: string | null
  }
}
