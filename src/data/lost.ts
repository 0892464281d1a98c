import { useSyncExternalStore } from 'react'
import { signal } from './signal.ts'

/** The signed-in user's outbox entries lost with the database (waits.ts). */
export interface Lost {
  readonly count: number
  readonly messages: number
}

export const WAITS = 'waits'

let lost: Lost | null = null
const changes = signal()

export function setLost(now: Lost | null) {
  lost = now
  changes.emit()
}

export function useLost(): Lost | null {
  return useSyncExternalStore(
    changes.on,
    () => lost,
    () => null,
  )
}
