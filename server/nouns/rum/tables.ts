export interface RumTables {
  rum: {
    id: string
    type: string
    ts: string | null
    url: string | null
    ua: string | null
    message: string | null
    filename: string | null
    lineno: number | null
    colno: number | null
    status: number | null
    duration: number | null
    method: string | null
    created_at: Date
  }
}
