import { Observable } from 'rxjs'

export type SetTimer = (ms: number, what: () => void) => () => void

export class Late extends Error {
  override readonly name = 'Late'
}

/** Rejects with `Late` when `work` takes longer than `ms`. */
export function within<T>(setTimer: SetTimer, ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(ms, () => reject(new Late()))
    work.then(resolve, reject).finally(cancel)
  })
}

/** Emits once. */
export function after(setTimer: SetTimer, ms: number): Observable<void> {
  return new Observable((reader) => setTimer(ms, () => reader.next()))
}
