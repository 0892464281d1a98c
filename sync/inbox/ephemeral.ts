import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs'
import type { EphemeralStore } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'

interface Ephemeral {
  readonly value: BehaviorSubject<string | null>
  readonly timer: Timer
}

/** Values that expire, such as who is typing. */
export class EphemeralValues implements EphemeralStore {
  readonly #outside: Outside
  readonly #byKey = new Map<string, Ephemeral>()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  set(key: string, value: string, forMs: number): void {
    const known = this.#of(key)
    known.timer.start(forMs, () => known.value.next(null))
    known.value.next(value)
  }

  clear(key: string): void {
    const { value, timer } = this.#of(key)
    timer.stop()
    value.next(null)
  }

  observe(key: string): Observable<string | null> {
    return this.#of(key).value.pipe(distinctUntilChanged())
  }

  #of(key: string): Ephemeral {
    const known = this.#byKey.get(key) ?? {
      value: new BehaviorSubject<string | null>(null),
      timer: new Timer(this.#outside),
    }
    this.#byKey.set(key, known)
    return known
  }
}
