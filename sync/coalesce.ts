/**
 * Serializes `work`. Calls made before a run begins share it; later calls share the next run. A
 * call resolves with its run.
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
