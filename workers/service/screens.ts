import { KEPT_BUILD, KEPT_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { coreFile } from './core.ts'
import { build } from './scope.ts'

/**
 * A navigation: the very screen as it was last seen, when it was kept for this person, language and build;
 * else the app's shell; else the network.
 */
export async function screen(request: Request): Promise<Response> {
  const kept = await keptScreen(request)
  return kept ?? (await coreFile('/index.html')) ?? fetch(request)
}

async function keptScreen(request: Request): Promise<Response | undefined> {
  const cache = await caches.open(SCREENS)
  const [of, kept] = await Promise.all([cache.match(SCREENS_OF), cache.match(request)])
  if (!of || !kept) return undefined
  const same = kept.headers.get(KEPT_FOR) === (await of.text()) && kept.headers.get(KEPT_BUILD) === build
  return same ? kept : undefined
}
