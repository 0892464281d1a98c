import { parsed } from '#schema/parsed'
import { type Share, SHARED, share, sharedPhotoPath, sharePath } from '#schema/port/share'

/**
 * Content shared from other apps, as the service worker caches it: the account's (`me` empty: a
 * visitor's), newest first. A visitor's become the account's.
 */
export async function sharesOf(me: string): Promise<readonly Share[]> {
  const [cache, kept] = await all()
  const own = kept.filter(({ owner }) => owner === null || owner === me)
  if (cache && me !== '')
    await Promise.all(
      own
        .filter(({ owner }) => owner === null)
        .map((one) =>
          cache.put(sharePath(one.id), new Response(JSON.stringify({ ...one, owner: me }))),
        ),
    )
  return own.toSorted((a, b) => b.at - a.at)
}

/** They are not for the next user. */
export async function dropShares(me: string | null) {
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

export async function sharedPhoto(id: string): Promise<Blob | null> {
  const kept = await caches.match(sharedPhotoPath(id), { cacheName: SHARED })
  return kept ? kept.blob() : null
}

export async function forgetShare({ id, photos }: Share) {
  const cache = await caches.open(SHARED)
  await cache.delete(sharePath(id))
  await Promise.all(photos.map((photo) => cache.delete(sharedPhotoPath(photo.id))))
}

async function read(cache: Cache, key: Request): Promise<Share | null> {
  const kept = await cache.match(key)
  return parsed(share, await kept?.json().catch(() => null))
}
