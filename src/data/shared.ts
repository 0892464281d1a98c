import * as v from 'valibot'
import { type Share, SHARED, share, sharedPhotoPath, sharePath } from '#schema/port/share'

/** What other apps shared into this one, as the service worker kept it: the page's side. */

/** All that no draft has taken over yet, the newest first; empty where the phone keeps nothing. */
export async function sharesHere(): Promise<readonly Share[]> {
  if (!('caches' in globalThis)) return []
  const cache = await caches.open(SHARED).catch(() => null)
  if (!cache) return []
  const keys = await cache.keys()
  const kept = await Promise.all(keys.filter(({ url }) => /^\/shared\/[^/]+$/.test(new URL(url).pathname)).map((key) => read(cache, key)))
  return kept.filter((one) => one !== null).toSorted((a, b) => b.at - a.at)
}

/** A shared picture; null: it is not here. */
export async function sharedPhoto(id: string): Promise<Blob | null> {
  const kept = await caches.match(sharedPhotoPath(id), { cacheName: SHARED })
  return kept ? kept.blob() : null
}

/** Its draft has all of it, or the person wants none of it. */
export async function forgetShare({ id, photos }: Share): Promise<void> {
  const cache = await caches.open(SHARED)
  await cache.delete(sharePath(id))
  await Promise.all(photos.map((photo) => cache.delete(sharedPhotoPath(photo.id))))
}

async function read(cache: Cache, key: Request): Promise<Share | null> {
  const kept = await cache.match(key)
  const parsed = v.safeParse(share, await kept?.json().catch(() => null))
  return parsed.success ? parsed.output : null
}
