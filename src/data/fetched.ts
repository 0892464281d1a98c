import { ask } from './ask.ts'

/** Counts what the page itself fetches over the network: pages, scripts and, above all, photos. The engine counts its own. */
export function countFetched(): void {
  const count = new PerformanceObserver((list) => {
    const sizes = list.getEntries().flatMap((entry) => (entry instanceof PerformanceResourceTiming && entry.transferSize > 0 ? [entry.transferSize] : []))
    if (sizes.length > 0) tellFetched(sizes.length, sizes.reduce((sum, size) => sum + size, 0))
  })
  for (const type of ['navigation', 'resource']) count.observe({ type, buffered: true })
}

export function tellFetched(count: number, bytes: number): void {
  void ask('page.fetched', { count, bytes })
}
