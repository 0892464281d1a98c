import { useSyncExternalStore } from 'react'

/** What a wipe of the databases took from whoever is in before it was sent; waits.ts finds it out. */
export interface Lost {
  readonly count: number
  /** How many of them were messages. */
  readonly messages: number
}

/** Of the record in local storage. */
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
