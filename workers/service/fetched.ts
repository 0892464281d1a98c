import type { FromService } from '#schema/port/service'
import { scope } from './scope.ts'

/** Photos and screens that are fetched here cost megabytes as well: one tab's engine counts them. */
export function countFetched(): void {
  if (!('PerformanceObserver' in scope)) return
  new PerformanceObserver((list) => {
    const sizes = list.getEntries().flatMap((entry) => (entry instanceof PerformanceResourceTiming && entry.transferSize > 0 ? [entry.transferSize] : []))
    if (sizes.length > 0) void tell({ type: 'fetched', count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) })
  }).observe({ type: 'resource', buffered: true })
}

async function tell(note: FromService): Promise<void> {
  const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  tab?.postMessage(note)
}
