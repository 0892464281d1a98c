import { ASSETS, SHELL } from '#schema/port/service'
import { core } from './fileLists.ts'

/** One cache per build, so that two builds never mix. */
const NAME = `${SHELL}-${core.map((file) => file.revision).join('')}`

/** Others than hashed files are revalidated. If one fails, the installation fails. */
export async function keepCore() {
  const cache = await caches.open(NAME)
  await Promise.all(
    core.map(async ({ url, revision }) => {
      const answer = await fetch(`/${url}`, {
        cache: revision === undefined ? 'default' : 'no-cache',
      })
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
      await cache.put(`/${url}`, answer)
    }),
  )
}

export async function coreFile(path: string) {
  const cache = await caches.open(NAME)
  return cache.match(path)
}

/** Tabs of other builds may still request their assets. */
export async function replaceCores() {
  const assets = await caches.open(ASSETS)
  for (const name of await caches.keys()) {
    if (!name.startsWith(`${SHELL}-`) || name === NAME) continue
    const old = await caches.open(name)
    for (const key of await old.keys()) {
      const kept = await old.match(key)
      if (kept && new URL(key.url).pathname.startsWith('/assets/')) await assets.put(key, kept)
    }
    await caches.delete(name)
  }
}
