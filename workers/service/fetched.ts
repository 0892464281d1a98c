import { type FromService, REQUEST_BYTES, trafficOf } from '#schema/port/service'
import { scope } from './scope.ts'

/** Photos and screens that are fetched here cost megabytes as well: one tab's engine counts them, the next one what no tab heard. */
export function countFetched(): void {
  if (!('PerformanceObserver' in scope)) return
  let [sent, received] = [0, 0]
  new PerformanceObserver((list) => {
    const more = trafficOf(list.getEntries(), REQUEST_BYTES.worker)
    sent += more.sent
    received += more.received
    void tell()
  }).observe({ type: 'resource', buffered: true })

  async function tell(): Promise<void> {
    const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
    if (!tab || sent === 0) return
    const note: FromService = { type: 'fetched', sent, received }
    sent = received = 0
    tab.postMessage(note)
  }
}
