import { CACHED_BUILD, CACHED_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { coreFile } from './core.ts'
import { build } from './fileLists.ts'

export async function screen(request: Request) {
  // Without reading a body: every launch waits for this.
  const [of, kept] = await Promise.all(
    [SCREENS_OF, request].map((asked) => caches.match(asked, { cacheName: SCREENS })),
  )
  const isSame =
    of &&
    kept?.headers.get(CACHED_FOR) === of.headers.get(CACHED_FOR) &&
    kept.headers.get(CACHED_BUILD) === build
  return isSame ? kept : ((await coreFile('/index.html')) ?? fetch(request))
}
