export class Late extends Error {
  override readonly name = 'Late'
}

/** Rejects with `Late` when `work` takes longer than `ms`. */
export function within<T>(
  setTimer: (ms: number, what: () => void) => () => void,
  ms: number,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(ms, () => reject(new Late()))
    work.then(resolve, reject).finally(cancel)
  })
}
