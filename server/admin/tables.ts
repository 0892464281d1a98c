export interface AuditTables {
  audit: {
    id: string
    at: Date
    command: string
    target: string | null
    /** The options given, without secrets. */
    detail: unknown
    operator: string
  }
}
