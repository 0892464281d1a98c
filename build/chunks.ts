import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Groups without the modules that theirs import. */
function alone<G extends object>(groups: readonly G[]) {
  return groups.map((group) => ({ ...group, includeDependenciesRecursively: false }))
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** A slow network pays a round trip per file, so chunks are few. */
const chunkOf =
  (name: string, start: string) =>
  (id: string, graph: Graph): string | null =>
    closure(`${root}/${start}`, graph).has(id) ? name : null

const startOf = (id: string, graph: Graph) =>
  id.startsWith('\0vite/preload-helper') ? 'start' : chunkOf('start', 'index.html')(id, graph)

const feature = (...patterns: readonly string[]) =>
  new RegExp(`/src/features/(?:${patterns.join('|')})\\.`)

export const chunks = alone([
  { name: startOf },
  { name: chunkOf('boot', 'src/boot.ts') },
  { name: chunkOf('main', 'src/main.tsx') },
  // What a list shows above its rows.
  {
    name: 'chips',
    test: /\/src\/(?:features\/browse\/(?:CategoryTiles|FilterChips|filterLabels)|parts\/catalogue|ui\/Chip)\./,
  },
  { name: chunkOf('listing', 'src/features/listing/ListingScreen.tsx'), minShareCount: 2 },
  {
    name: 'lists',
    test: feature('browse/(?:NoResult|SpellingNote)', 'saved/(?:SaveSearch|useSavedSearch)'),
  },
  {
    name: 'filters',
    test: feature('browse/(?:FilterSheet|FilterColumn|FilterFields)'),
  },
  {
    name: 'icons',
    test: /lucide-react|\.css$/,
    minShareCount: 2,
  },
  {
    name: 'common',
    test: /\/(?:src|schema)\/|node_modules\//,
    minShareCount: 3,
  },
  // Too small for files of their own.
  {
    name: 'extras',
    test: /\/src\/(?:parts\/KeepOpen|features\/auth\/useCooldown|ui\/(?:download|drawCover))\.tsx?$/,
  },
])

/**
 * Shared code stays out of the data worker's entry: WebKit evaluates an entry again when a later
 * chunk imports it, and two engines would run in one worker (decision 116).
 */
export const workerChunks = alone([
  {
    name: (id: string, graph: Graph): string | null =>
      // The photo worker is built without the data worker.
      id === dataWorker || !graph.getModuleInfo(dataWorker) || !closure(dataWorker, graph).has(id)
        ? null
        : 'sync-base',
  },
  {
    name: 'writes-base',
    test: /\/(?:sync\/outbox\/state|schema\/(?:disk\/entry|port\/command|wire\/notification))\.ts$/,
  },
])
const dataWorker = `${root}/workers/sync.worker.ts`

function closure(start: string, graph: Graph) {
  const known = closures.get(start) ?? new Set<string>()
  if (known.size > 0) return known
  const next = [start]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (known.has(id)) continue
    known.add(id)
    next.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  closures.set(start, known)
  return known
}
const closures = new Map<string, Set<string>>()
