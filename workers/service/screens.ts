import { CACHED_BUILD, CACHED_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { coreFile } from './core.ts'
import { build } from './fileLists.ts'

/**
 * A navigation: the cached screen, if it matches user, language and build; else the app's shell;
 * else the network.
 */
export async function screen(request: Request): Promise<Response> {
  const kept = await keptScreen(request)
  return kept ?? (await coreFile('/index.html')) ?? fetch(request)
}

async function keptScreen(request: Request): Promise<Response | undefined> {
  // One lookup each, without reading a body: every launch waits for this.
  const [of, kept] = await Promise.all(
    [SCREENS_OF, request].map((asked) => caches.match(asked, { cacheName: SCREENS })),
  )
  if (!of || !kept) return undefined
  const same =
    kept.headers.get(CACHED_FOR) === of.headers.get(CACHED_FOR) &&
    kept.headers.get(CACHED_BUILD) === build
  return same ? kept : undefined
}
