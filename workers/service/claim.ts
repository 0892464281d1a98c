import { scope } from './scope.ts'

const loaded = new Set<string>()
/** A page whose scripts failed never asks. */
const PATIENCE_MS = 20_000
let firstAsked: number | null = null

/** Not before each open screen is loaded: WebKit gives a page that loads no controller, ever. */
export async function claim(page: unknown) {
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

/** Files and server-only paths are no screens. */
export function isScreen(pathname: string) {
  return !/^\/(api|media|ws|metrics)\b|\/[^/]+\.[a-z0-9]+$/i.test(pathname)
}
