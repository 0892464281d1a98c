import { isScreen } from './isScreen.ts'
import { scope } from './scope.ts'

/** Ids of pages that are loaded: they asked to be taken over. */
const loaded = new Set<string>()
/** A page whose scripts failed never asks. */
const PATIENCE_MS = 20_000
let firstAsked: number | null = null

/**
 * Takes over the pages that are open, not before each screen is loaded. WebKit never gives a page
 * its controller that is claimed while it loads, and does not claim it again.
 */
export async function claim(page: unknown): Promise<void> {
  if (page instanceof Client) loaded.add(page.id)
  firstAsked ??= performance.now()
  const [all, controlled] = await Promise.all([
    scope.clients.matchAll({ includeUncontrolled: true }),
    scope.clients.matchAll(),
  ])
  for (const { id } of controlled) loaded.add(id)
  const loads = all.some(({ id, url }) => !loaded.has(id) && isScreen(new URL(url).pathname))
  if (loads && performance.now() - firstAsked < PATIENCE_MS) return
  await scope.clients.claim()
}
