import { scope } from './scope.ts'

/** Ids of pages that are loaded: they asked to be taken over. */
const loaded = new Set<string>()

/**
 * Takes over the pages that are open, not before each of them is loaded. WebKit never gives a page
 * its controller that is claimed while it loads, and does not claim it again.
 */
export async function claim(page: unknown): Promise<void> {
  if (page instanceof Client) loaded.add(page.id)
  const [all, controlled] = await Promise.all([
    scope.clients.matchAll({ includeUncontrolled: true }),
    scope.clients.matchAll(),
  ])
  for (const { id } of controlled) loaded.add(id)
  if (all.every(({ id }) => loaded.has(id))) await scope.clients.claim()
}
