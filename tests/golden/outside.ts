import 'fake-indexeddb/auto'

/** What the local database requires of its environment, with the same ids at every run. */
let ids = 0
export const here = {
  factory: indexedDB,
  setTimer: (ms: number, what: () => void) => {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
  freeSpace: () => Promise.resolve(),
  newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '9')}`,
}
