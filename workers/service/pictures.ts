import { PRIVATE_PICTURES, PICTURES } from '#schema/port/service'
import { trim } from './assets.ts'

/** About 15 MB. */
const KEPT = 800

/** Never change under their URL [API 6.3]. */
export async function picture(request: Request) {
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

async function keep(cache: Cache, request: Request, answer: Response) {
  try {
    await cache.put(request, answer)
    await trim(cache, KEPT)
  } catch {
    // Storage is full: user data comes before photos.
    await trim(cache, KEPT / 2)
  }
}
