/** RxDB and Dexie wrap the browser's error in `inner`. */
export function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const name: unknown = Reflect.get(error, 'name')
  return (
    name === 'QuotaExceededError' || name === 'AbortError' || isFull(Reflect.get(error, 'inner'))
  )
}
