import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** A slow network pays a round trip per file, so chunks are few. */
function chunkOf(id: string, graph: Graph): string | null {
  if (closure(`${root}/src/boot.ts`, graph).has(id)) return 'boot'
  if (closure(`${root}/src/main.tsx`, graph).has(id)) return 'main'
  return null
}

const startOf = (id: string, graph: Graph): string | null =>
  id.startsWith('\0vite/preload-helper') || closure(`${root}/index.html`, graph).has(id)
    ? 'start'
    : null

const listingScreen = (id: string, graph: Graph): string | null =>
  closure(`${root}/src/features/listing/ListingScreen.tsx`, graph).has(id) ? 'listing' : null

const feature = (...patterns: readonly string[]): RegExp =>
  new RegExp(`/src/features/(?:${patterns.join('|')})\\.`)

export const chunks = [
  // Includes the bundler's runtime, which saves a file.
  { name: startOf, includeDependenciesRecursively: false },
  { name: chunkOf, includeDependenciesRecursively: false },
  { name: listingScreen, minShareCount: 2, includeDependenciesRecursively: false },
  {
    name: 'lists',
    test: feature(
      'browse/(?:CategoryTiles|FilterChips|NoResult|SpellingNote|filterLabels)',
      'saved/(?:SaveSearch|RenameSearch|useSavedSearch)',
    ),
    includeDependenciesRecursively: false,
  },
  {
    name: 'filters',
    test: feature('browse/(?:FilterSheet|FilterColumn|FilterFields|SpecFields)'),
    includeDependenciesRecursively: false,
  },
  {
    name: 'shared',
    test: /lucide-react|\.css$/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    name: 'shared',
    test: /\/(?:src|schema)\/|node_modules\//,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  // Too small for files of their own.
  {
    name: 'shared',
    test: /\/src\/(?:parts\/KeepOpen|features\/auth\/useCooldown|ui\/(?:download|drawCover))\.tsx?$/,
    includeDependenciesRecursively: false,
  },
]

/**
 * Shared code stays out of the data worker's entry: WebKit evaluates an entry again when a later
 * chunk imports it, and two engines would run in one worker (decision 116).
 */
export const workerChunks = [
  {
    name: (id: string, graph: Graph): string | null =>
      // The photo worker is built without the data worker.
      id === dataWorker || !graph.getModuleInfo(dataWorker) || !closure(dataWorker, graph).has(id)
        ? null
        : 'sync-base',
    includeDependenciesRecursively: false,
  },
  {
    name: 'writes-base',
    test: /\/(?:sync\/outbox\/state|schema\/(?:disk\/entry|port\/command|wire\/notification))\.ts$/,
    includeDependenciesRecursively: false,
  },
]
const dataWorker = `${root}/workers/sync.worker.ts`

function closure(start: string, graph: Graph): ReadonlySet<string> {
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
