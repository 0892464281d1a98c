import { ASSETS } from '#schema/port/service'
import { rest } from './fileLists.ts'
import { trim } from './trim.ts'

/** Chunks of about two builds: an old tab still finds its own. */
const KEPT = 300

/**
 * Chromium 123 and later (https://developer.chrome.com/docs/web-platform/static-routing); not in
 * TypeScript's types yet.
 */
interface Routed {
  addRoutes(route: { condition: { urlPattern: string }; source: 'cache' }): Promise<void>
}

/**
 * Lets the browser serve hashed files from the caches directly, without running this worker's code
 * for each.
 */
export function routeAssets(event: ExtendableEvent): void {
  if (canRoute(event))
    event.waitUntil(event.addRoutes({ condition: { urlPattern: '/assets/*' }, source: 'cache' }))
}

function canRoute(event: ExtendableEvent): event is ExtendableEvent & Routed {
  return 'addRoutes' in event
}

/** A hashed file: from any cache, else from the network and then cached. */
export async function asset(request: Request): Promise<Response> {
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

/** Space in bytes that is left to what people write. */
const RESERVE = 5e6

/** Caches the files that the first visit left out; stops at the first failure. */
export async function keepAll(files: readonly string[] = rest): Promise<void> {
  const room = await navigator.storage?.estimate?.()
  // Without an estimate, as in Safari 16, this is not a number and nothing is left out.
  if (Number(room?.quota) - Number(room?.usage) < RESERVE) return
  const cache = await caches.open(ASSETS)
  for (const url of files) {
    if (await caches.match(url)) continue
    try {
      await cache.add(url)
    } catch {
      return // Offline: the next `keep-all` continues here.
    }
  }
}
