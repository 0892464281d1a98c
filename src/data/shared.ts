import * as v from 'valibot'
import { type Share, SHARED, share, sharedPhotoPath, sharePath } from '#schema/port/share'

/** What other apps shared into this one, as the service worker kept it: the page's side. */

/**
 * All of this account (null: of nobody) that no draft has taken over yet, the newest first; empty where the phone keeps nothing.
 * What was shared while nobody was in becomes the account's.
 */
export async function sharesHere(me: string | null): Promise<readonly Share[]> {
  const [cache, kept] = await all()
  const own = kept.filter(({ owner }) => owner === null || owner === me)
  if (cache && me !== null)
    await Promise.all(
      own
        .filter(({ owner }) => owner === null)
        .map((one) =>
          cache.put(sharePath(one.id), new Response(JSON.stringify({ ...one, owner: me }))),
        ),
    )
  return own.toSorted((a, b) => b.at - a.at)
}

/** `me` signs out: what was shared into the app meanwhile is not offered to the next person. */
export async function dropShares(me: string | null): Promise<void> {
  const [, kept] = await all()
  await Promise.all(kept.filter(({ owner }) => owner === null || owner === me).map(forgetShare))
}

async function all(): Promise<readonly [Cache | null, readonly Share[]]> {
  const cache = 'caches' in globalThis ? await caches.open(SHARED).catch(() => null) : null
  if (!cache) return [null, []]
  const keys = await cache.keys()
  const kept = await Promise.all(
    keys
      .filter(({ url }) => /^\/shared\/[^/]+$/.test(new URL(url).pathname))
      .map((key) => read(cache, key)),
  )
  return [cache, kept.filter((one) => one !== null)]
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
