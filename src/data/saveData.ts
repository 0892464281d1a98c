import { SAVE_DATA } from '#schema/port/service'
import { useSyncExternalStore } from 'react'
import { useFirstRender } from './firstRender.ts'
import { keep, stored } from './session.ts'
import { signal } from './signal.ts'

/** Photos on tap, no prefetch. The user's choice wins over the browser's. */

const SAVE_DATA_KEY = 'low_data'
const changes = signal()
export const onSaveData = changes.on

interface Connection extends EventTarget {
  readonly saveData?: boolean
  readonly type?: string
}
declare global {
  interface Navigator {
    readonly connection?: Connection
  }
}

export function savesData() {
  const chosen = stored(SAVE_DATA_KEY)
  return chosen === null ? navigator.connection?.saveData === true : chosen === '1'
}

/** The service worker cannot read the choice. */
export function markSaveData() {
  if ('caches' in window)
    void (savesData() ? caches.open(SAVE_DATA) : caches.delete(SAVE_DATA)).catch(() => undefined)
}

export function useSaveData() {
  const first = useFirstRender()
  return useSyncExternalStore(onSaveData, savesData, () => first?.saveData ?? savesData())
}

const YEAR_S = 365 * 24 * 3600

/** A cookie tells the server, which renders before any script runs. */
export function setLowData(on: boolean) {
  const value = on ? '1' : '0'
  keep('local', SAVE_DATA_KEY, value)
  const secure = location.protocol === 'https:' ? ';secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the oldest Safari has no Cookie Store API
  document.cookie = `${SAVE_DATA_KEY}=${value};path=/;max-age=${YEAR_S};samesite=lax${secure}`
  changes.emit()
}
