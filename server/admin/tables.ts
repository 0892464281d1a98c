export interface AuditTables {
  audit: {
    id: string
    at: Date
    command: string
    target: string | null
    /** The given options, without secrets. */
    detail: unknown
    operator: string
  }
}
