import { useSyncExternalStore } from 'react'

/**
 * Outbox entries of the signed-in user that were deleted with the database before they were sent
 * (see waits.ts).
 */
export interface Lost {
  readonly count: number
  /** How many of them were messages. */
  readonly messages: number
}

/** Key in local storage. */
export const WAITS = 'waits'

let lost: Lost | null = null
const listeners = new Set<() => void>()

export function tellLost(now: Lost | null): void {
  lost = now
  for (const listener of listeners) listener()
}

export function useLost(): Lost | null {
  return useSyncExternalStore(
    subscribe,
    () => lost,
    () => null,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
