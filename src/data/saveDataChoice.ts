import { keep } from './session.ts'
import { SAVE_DATA_KEY, emitSaveData } from './saveData.ts'

const YEAR_S = 365 * 24 * 3600

/** A cookie tells the server, which renders before any script runs. */
export function setLowData(on: boolean): void {
  const value = on ? '1' : '0'
  keep('local', SAVE_DATA_KEY, value)
  const secure = location.protocol === 'https:' ? ';secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the oldest Safari has no Cookie Store API
  document.cookie = `${SAVE_DATA_KEY}=${value};path=/;max-age=${YEAR_S};samesite=lax${secure}`
  emitSaveData()
}
