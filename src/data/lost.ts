import { useSyncExternalStore } from 'react'

/** The signed-in user's outbox entries lost with the database (waits.ts). */
export interface Lost {
  readonly count: number
  readonly messages: number
}

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
