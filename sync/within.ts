import { Observable } from 'rxjs'

export type SetTimer = (ms: number, what: () => void) => () => void

export class Late extends Error {
  override readonly name = 'Late'
}

export function within<T>(setTimer: SetTimer, ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(ms, () => reject(new Late()))
    work.then(resolve, reject).finally(cancel)
  })
}

/** Starting it again cancels the earlier one. */
export class Timer {
  readonly #setTimer: SetTimer
  #cancel: (() => void) | null = null

  constructor({ setTimer }: { readonly setTimer: SetTimer }) {
    this.#setTimer = setTimer
  }

  get isRunning() {
    return this.#cancel !== null
  }

  start(ms: number, what: () => void) {
    this.stop()
    this.#cancel = this.#setTimer(ms, () => {
      this.#cancel = null
      what()
    })
  }

  stop() {
    this.#cancel?.()
    this.#cancel = null
  }
}

export function after(setTimer: SetTimer, ms: number): Observable<void> {
  return new Observable((reader) => setTimer(ms, () => reader.next()))
}

export function sleep(setTimer: SetTimer, ms: number): Promise<void> {
  return new Promise((resolve) => void setTimer(ms, resolve))
}
