import 'fake-indexeddb/auto'

/** What the phone's database needs of the outside, with ids that are the same at every run. */
let ids = 0
export const here = {
  factory: indexedDB,
  setTimer: (ms: number, what: () => void) => {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
  newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '9')}`,
}
