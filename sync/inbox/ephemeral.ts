import { BehaviorSubject, type Observable } from 'rxjs'
import type { EphemeralStore } from '../noun.ts'
import type { Outside } from '../outside.ts'

/** Values that expire, such as who is typing. */
export class EphemeralValues implements EphemeralStore {
  readonly #outside: Outside
  readonly #things = new Map<string, BehaviorSubject<string | null>>()
  readonly #ends = new Map<string, () => void>()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  set(key: string, value: string, forMs: number): void {
    this.#ends.get(key)?.()
    this.#ends.set(
      key,
      this.#outside.setTimer(forMs, () => this.clear(key)),
    )
    const thing = this.#thing(key)
    if (thing.value !== value) thing.next(value)
  }

  clear(key: string): void {
    this.#ends.get(key)?.()
    this.#ends.delete(key)
    const thing = this.#things.get(key)
    if (thing && thing.value !== null) thing.next(null)
  }

  observe(key: string): Observable<string | null> {
    return this.#thing(key)
  }

  #thing(key: string): BehaviorSubject<string | null> {
    const known = this.#things.get(key)
    if (known) return known
    const fresh = new BehaviorSubject<string | null>(null)
    this.#things.set(key, fresh)
    return fresh
  }
}
