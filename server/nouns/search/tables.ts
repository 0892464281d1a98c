import type { ColumnType, Generated } from 'kysely'

export interface SearchTables {
  saved_search: {
    id: string
    user_id: string
    name: string
    /** Written as JSON text. */
    params: ColumnType<Record<string, string | number | boolean>, string, string>
    /** `params` in canonical form: the same search is one row [API 10.5]. */
    params_key: string
    alerts: 'off' | 'daily' | 'instant'
    created_at: Date
    last_run_at: Date | null
    alerted_at: Date | null
    alerts_day: string | null
    alerts_count: Generated<number>
  }
}
