/** Lets at most `places` pieces of work run at once; the others wait in the order they came. */
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
      // The place is handed on rather than freed, or a newcomer could take it before the one who waited.
      if (next) next()
      else free += 1
    }
  }
}
