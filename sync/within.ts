export class Late extends Error {
  override readonly name = 'Late'
}

/**
 * Rejects with `Late` when `work` takes longer than `ms`. `later` is a timer whose returned
 * function cancels it.
 */
export function within<T>(
  later: (ms: number, what: () => void) => () => void,
  ms: number,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = later(ms, () => reject(new Late()))
    work.then(resolve, reject).finally(cancel)
  })
}
