import type { Fetched, FromService } from '#schema/port/service'
import { scope } from './scope.ts'

/** Photos and screens that are fetched here cost megabytes as well: one tab's engine counts them, the next one what no tab heard. */
export function countFetched(): void {
  if (!('PerformanceObserver' in scope)) return
  let files: Fetched[] = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('transferSize' in entry)
        files.push({ name: entry.name, transferSize: Number(entry.transferSize) })
    void tell()
  }).observe({ type: 'resource', buffered: true })

  async function tell(): Promise<void> {
    const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
    if (!tab) return
    const note: FromService = { type: 'fetched', files }
    files = []
    tab.postMessage(note)
  }
}
