import type { Fetched, FromService } from '#schema/port/service'
import { openTabs } from './notifications.ts'
import { scope } from './scope.ts'

/** Counts the traffic of photos and screens fetched here. One tab's engine records it. */
export function countFetched(): void {
  if (!('PerformanceObserver' in scope)) return
  let files: Fetched[] = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('transferSize' in entry)
        files.push({ name: entry.name, transferSize: Number(entry.transferSize) })
    void report()
  }).observe({ type: 'resource', buffered: true })

  async function report(): Promise<void> {
    const [tab] = await openTabs()
    if (!tab) return
    const note: FromService = { type: 'fetched', files }
    files = []
    tab.postMessage(note)
  }
}
