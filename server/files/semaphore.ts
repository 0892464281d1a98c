/** The others wait in order of arrival. */
export function semaphore(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Handed on, not freed: a new caller could take it before the first waiting one.
      if (next) next()
      else free += 1
    }
  }
}
