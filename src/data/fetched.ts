import { SCRIPT_CHECK, type Traffic, trafficOf } from '#schema/port/service'
import { ask } from './ask.ts'

/** The page's own traffic: pages, scripts and photos. The engine counts its own. */
export function countFetched() {
  const watch = new PerformanceObserver((list) =>
    reportFetched(trafficOf(list.getEntries(), 'page')),
  )
  for (const type of ['navigation', 'resource']) watch.observe({ type, buffered: true })
  if (navigator.onLine && navigator.serviceWorker?.controller) reportFetched(SCRIPT_CHECK)
}

export function reportFetched(traffic: Traffic) {
  if (traffic.sent > 0) void ask('page.fetched', traffic)
}
