import { PRIVATE_PICTURES, PICTURES } from '#schema/port/service'
import { trim } from './trim.ts'

/** About 15 MB of list photos; the oldest are deleted first. */
const KEPT = 800

/** Photos never change under their URL [API 6.3]: from the cache, else fetched and cached. */
export async function picture(request: Request): Promise<Response> {
  const own = new URL(request.url).pathname.startsWith('/media/attachments/')
  const cache = await caches.open(own ? PRIVATE_PICTURES : PICTURES)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200 && answer.headers.get('content-type')?.startsWith('image/') === true) {
    void keep(cache, request, answer.clone())
  }
  return answer
}

async function keep(cache: Cache, request: Request, answer: Response): Promise<void> {
  try {
    await cache.put(request, answer)
    await trim(cache, KEPT)
  } catch {
    // Storage is full: user data comes before photos, so delete half and do not cache this one.
    await trim(cache, KEPT / 2)
  }
}
