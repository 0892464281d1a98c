/** The others wait in order of arrival. */
export function semaphore(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  async function run<T>(work: () => Promise<T>) {
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
  return Object.assign(run, { size: () => places - free + waiting.length })
}
