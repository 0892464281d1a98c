import { fetchedAmong, type FromService } from '#schema/port/service'
import { scope } from './scope.ts'

/** Photos and screens that are fetched here cost megabytes as well: one tab's engine counts them. */
export function countFetched(): void {
  if (!('PerformanceObserver' in scope)) return
  new PerformanceObserver((list) => {
    const fetched = fetchedAmong(list.getEntries())
    if (fetched.count > 0) void tell({ type: 'fetched', ...fetched })
  }).observe({ type: 'resource', buffered: true })
}

async function tell(note: FromService): Promise<void> {
  const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  tab?.postMessage(note)
}
