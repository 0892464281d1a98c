import { session } from '../data/session.ts'

/** Reports for the operator [S7.49, S8.18]: never a user's text, nor failing reports. */

const api = import.meta.env.VITE_API_ROOT ?? '/api/'
const LIMIT = 20
let sent = 0

type Kind = 'error' | 'unhandledrejection' | 'react-error'
type Details = Partial<Pick<ErrorEvent, 'message' | 'filename' | 'lineno' | 'colno'>>

export function report(type: Kind, details: Details) {
  if (sent >= LIMIT) return
  sent += 1
  fetch(`${api}rum/`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ts: new Date().toISOString(),
      url: location.pathname,
      ua: navigator.userAgent,
      type,
      details,
      session_id: session().sessionId,
    }),
  }).catch(() => undefined)
}

export function startMonitor() {
  addEventListener('error', ({ message, filename, lineno, colno }) =>
    report('error', { message, filename, lineno, colno }),
  )
  addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    report('unhandledrejection', {
      message: reason instanceof Error ? reason.message : String(reason),
    })
  })
}
