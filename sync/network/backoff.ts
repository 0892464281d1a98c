import { BACKOFF_BASE_MS, BACKOFF_JITTER_MS, BACKOFF_MAX_MS } from '#schema/limits'

/** Wait before the n-th reconnection (0: the first), ms (S9.13); `luck` in [0, 1). */
export function reconnectIn(attempt: number, luck: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 20)) + Math.floor(luck * BACKOFF_JITTER_MS)
}

const RETRY_BASE_MS = 2000
const RETRY_MAX_MS = 300_000
const RETRY_LEAST_MS = 250

/**
 * Wait before an entry is sent again, ms: full jitter over a span that doubles with each try that reached the server;
 * what the server asked for is the least.
 */
export function retryIn(tries: number, luck: number, retryAfterMs: number | null): number {
  const span = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** Math.min(tries, 20))
  return Math.max(retryAfterMs ?? RETRY_LEAST_MS, Math.floor(luck * span))
}
