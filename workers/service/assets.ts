import { ASSETS } from '#schema/port/service'

/** About two builds: an old tab still finds its chunks. */
const KEPT = 300

/** Chromium 123 and later: https://developer.chrome.com/docs/web-platform/static-routing */
interface Routed {
  addRoutes(route: { condition: { urlPattern: string }; source: 'cache' }): Promise<void>
}

export function routeAssets(event: ExtendableEvent & Partial<Routed>) {
  const routed = event.addRoutes?.({ condition: { urlPattern: '/assets/*' }, source: 'cache' })
  if (routed) event.waitUntil(routed)
}

export async function asset(request: Request) {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(ASSETS)
    await cache.put(request, answer.clone())
    await trim(cache, KEPT)
  }
  return answer
}

/** Left to what people write. */
const RESERVE = 5e6

/** Stops at the first failure. */
export async function keepAll(files: readonly string[]) {
  const room = await navigator.storage?.estimate?.()
  // Not a number in Safari 16.
  if (Number(room?.quota) - Number(room?.usage) < RESERVE) return
  const cache = await caches.open(ASSETS)
  for (const url of files) {
    if (await caches.match(url)) continue
    try {
      await cache.add(url)
    } catch {
      return // Offline: the next `keep` continues here.
    }
  }
}

/** A cache lists its keys in insertion order. */
export async function trim(cache: Cache, most: number) {
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -most).map((key) => cache.delete(key)))
}
