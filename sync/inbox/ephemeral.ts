import { BehaviorSubject, distinctUntilChanged } from 'rxjs'
import type { EphemeralStore } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'

export function createEphemeral(outside: Outside): EphemeralStore {
  const begin = () => ({
    value: new BehaviorSubject<string | null>(null),
    timer: new Timer(outside),
  })
  const byKey = new Map<string, ReturnType<typeof begin>>()
  const at = (key: string) => {
    const known = byKey.get(key) ?? begin()
    byKey.set(key, known)
    return known
  }
  return {
    set(key, content, forMs) {
      const { value, timer } = at(key)
      timer.start(forMs, () => value.next(null))
      value.next(content)
    },
    clear(key) {
      const { value, timer } = at(key)
      timer.stop()
      value.next(null)
    },
    observe: (key) => at(key).value.pipe(distinctUntilChanged()),
  }
}
