import { useSyncExternalStore } from 'react'
import { useFirstRender } from '../data/firstRender.ts'

const MINUTE_MS = 60_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The current minute, ms: all ages update together, and no render reads the clock. */
export function useNow() {
  const first = useFirstRender()
  return useSyncExternalStore(subscribe, minute, () => first?.at ?? minute())
}

export function minute() {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(emit, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function emit() {
  for (const listener of listeners) listener()
}
