/**
 * Runs `work` one at a time: calls made before a run begins share it, one that comes later, at whatever moment, gets another
 * after it. Each is over when its run is.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let coming: Promise<void> | null = null
  const begin = (): Promise<void> => {
    coming = null
    return work()
  }
  return () => (coming ??= last = last.then(begin, begin))
}
