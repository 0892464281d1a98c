import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const chunk = v.object({
  file: v.string(),
  imports: v.optional(v.array(v.string()), []),
  css: v.optional(v.array(v.string()), []),
})

/**
 * Marks files that the service worker caches early (workers/service/fileLists.ts): the server
 * inlines the styles of these screens in a first page.
 */
export function markKeptScreens<F extends { readonly url: string; revision?: string | null }>(
  files: readonly F[],
): { readonly manifest: (F & { readonly soon?: true })[] } {
  const built = v.parse(
    v.record(v.string(), chunk),
    JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')),
  )
  const needed = new Set([
    'src/features/outbox/OutboxScreen.tsx',
    'src/features/listing/ListingScreen.tsx',
    // Shown without a network.
    'src/parts/drawings/emptyStates.ts',
  ])
  const soon = new Set<string>()
  for (const name of needed) {
    const one = built[name]
    if (!one) throw new Error(`mark-kept-screens: no chunk for ${name}`)
    for (const file of [one.file, ...one.css]) soon.add(file)
    for (const other of one.imports) needed.add(other)
  }
  return {
    manifest: files.map((file) => ({
      ...file,
      revision: file.revision ?? undefined,
      ...(soon.has(file.url) && { soon: true as const }),
    })),
  }
}
