import type { Fetched, FromService } from '#schema/port/service'
import { openTabs } from './notifications.ts'
import { scope } from './scope.ts'

export function countFetched() {
  if (!('PerformanceObserver' in scope)) return
  let files: Fetched[] = []
  const report = async () => {
    const [tab] = await openTabs()
    if (!tab) return
    const note: FromService = { type: 'fetched', files }
    files = []
    tab.postMessage(note)
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('transferSize' in entry)
        files.push({ name: entry.name, transferSize: Number(entry.transferSize) })
    void report()
  }).observe({ type: 'resource', buffered: true })
}
