import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const OUTBOX = [
  'src/features/outbox/OutboxScreen.tsx',
  'src/features/listing/ListingScreen.tsx',
  // Shown without a network.
  'src/parts/drawings/emptyStates.ts',
]
const OFFLINE = [
  'src/app/SignedIn.tsx',
  'src/features/messages/MessagesScreen.tsx',
  'src/features/post/CreateListingScreen.tsx',
  'src/features/saved/SavedScreen.tsx',
  'src/features/settings/SettingsScreen.tsx',
  'src/features/listing/FullScreen.tsx',
  'src/parts/SearchSuggestions.tsx',
]

/** Chunks without a module of their own, and of the data worker: what writes and sends the outbox. */
const WRITING = ['worker-writes', 'worker-database']
/** What else works without a network: a person's data, photos, search, filters, scam warnings. */
const WORKING = [
  'CategoryIcons',
  'chips',
  'filters',
  'lists',
  'scam_patterns',
  'worker-catalogue',
  'worker-fold',
  'worker-photo',
  'worker-places',
  'worker-search',
  'worker-signed-in',
  'worker-straighten',
  'worker-suggestLocally',
  'worker-upload',
]

const chunk = v.object({
  file: v.string(),
  imports: v.optional(v.array(v.string()), []),
  css: v.optional(v.array(v.string()), []),
})

/**
 * Marks what the service worker caches ahead (workers/service/fileLists.ts): 1 the outbox and a
 * listing, 2 what else an offline start needs.
 */
export function markKeptScreens<F extends { readonly url: string; revision?: string | null }>(
  files: readonly F[],
): { readonly manifest: (F & { readonly soon?: 1 | 2 })[] } {
  const built = v.parse(
    v.record(v.string(), chunk),
    JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')),
  )
  const filesFor = (screens: readonly string[], chunks: readonly string[]) => {
    const needed = new Set(screens)
    const kept = new Set<string>()
    for (const name of needed) {
      const one = built[name]
      if (!one) throw new Error(`mark-kept-screens: no chunk for ${name}`)
      for (const file of [one.file, ...one.css]) kept.add(file)
      for (const other of one.imports) needed.add(other)
    }
    for (const name of chunks) {
      const named = files.filter(({ url }) => new RegExp(`/${name}[-.]`).test(url))
      if (named.length === 0) throw new Error(`mark-kept-screens: no chunk for ${name}`)
      for (const { url } of named) kept.add(url)
    }
    return kept
  }
  const first = filesFor(OUTBOX, WRITING)
  const offline = filesFor(OFFLINE, WORKING)
  const marked = files.map((file) => ({
    ...file,
    revision: file.revision ?? undefined,
    ...(offline.has(file.url) && { soon: 2 as const }),
    ...(first.has(file.url) && { soon: 1 as const }),
  }))
  return { manifest: marked.toSorted((a, b) => (a.soon ?? 3) - (b.soon ?? 3)) }
}
