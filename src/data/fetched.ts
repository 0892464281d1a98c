import { fetchedAmong } from '#schema/port/service'
import { ask } from './ask.ts'

/** Counts what the page itself fetches over the network: pages, scripts and, above all, photos. The engine counts its own. */
export function countFetched(): void {
  const watch = new PerformanceObserver((list) => {
    const { count, bytes } = fetchedAmong(list.getEntries())
    if (count > 0) tellFetched(count, bytes)
  })
  for (const type of ['navigation', 'resource']) watch.observe({ type, buffered: true })
}

export function tellFetched(count: number, bytes: number): void {
  void ask('page.fetched', { count, bytes })
}
