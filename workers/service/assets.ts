import { ASSETS } from '#schema/port/service'
import { rest } from './scope.ts'
import { trim } from './trim.ts'

/** Chunks of about two builds: an old tab still finds its own. */
const KEPT = 300

/** A hashed file: from any cache, else from the network, and then kept. */
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

/** Keeps what the first visit left out; a file that fails is fetched another time. */
export async function keepAll(): Promise<void> {
  const cache = await caches.open(ASSETS)
  for (const url of rest) {
    if (await caches.match(url)) continue
    try {
      await cache.add(url)
    } catch {
      return // The network went: the next `keep-all` goes on here.
    }
  }
}
