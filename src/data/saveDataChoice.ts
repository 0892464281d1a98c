import { keep } from './session.ts'
import { SAVE_DATA_KEY, emitSaveData } from './saveData.ts'

const YEAR_S = 365 * 24 * 3600

/**
 * A person's choice, which wins over the browser's data saver. The server hears of it by a cookie of the same name: it draws
 * the first HTML of a page, before anything of this phone can say how.
 */
export function setLowData(on: boolean): void {
  const value = on ? '1' : '0'
  keep('local', SAVE_DATA_KEY, value)
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing in the oldest Safari that counts
  document.cookie = `${SAVE_DATA_KEY}=${value};path=/;max-age=${YEAR_S};samesite=lax${location.protocol === 'https:' ? ';secure' : ''}`
  emitSaveData()
}
