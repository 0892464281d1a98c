import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { markKeptScreens } from './markKeptScreens.ts'

const folder = mkdtempSync(join(tmpdir(), 'kept-screens-'))
const before = process.cwd()
process.chdir(folder)
afterAll(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true })
})

const screens = {
  'src/features/outbox/OutboxScreen.tsx': { file: 'outbox.js', imports: ['_shared.js'] },
  'src/features/listing/ListingScreen.tsx': { file: 'listing.js', css: ['listing.css'] },
  'src/parts/drawings/emptyStates.ts': { file: 'empty.js' },
  '_shared.js': { file: 'shared.js', css: ['shared.css'] },
  'src/app/SignedIn.tsx': { file: 'signed-in.js' },
  'src/features/messages/MessagesScreen.tsx': { file: 'messages.js', imports: ['_shared.js'] },
  'src/features/post/CreateListingScreen.tsx': { file: 'wizard.js' },
  'src/features/saved/SavedScreen.tsx': { file: 'saved.js' },
  'src/features/settings/SettingsScreen.tsx': { file: 'settings.js' },
  'src/features/listing/FullScreen.tsx': { file: 'full.js' },
  'src/parts/SearchSuggestions.tsx': { file: 'suggestions.js' },
  'src/features/help/HelpScreen.tsx': { file: 'help.js' },
}

const working = ['CategoryIcons', 'chips', 'filters', 'lists', 'scam_patterns', 'worker-catalogue']
working.push('worker-fold', 'worker-photo', 'worker-places', 'worker-search', 'worker-signed-in')
working.push('worker-straighten', 'worker-suggestLocally', 'worker-upload')

function build(manifest: object): void {
  mkdirSync('dist/web/.vite', { recursive: true })
  writeFileSync('dist/web/.vite/manifest.json', JSON.stringify(manifest))
}

test('[S13.72] files of the kept screens, of what they import and their styles are marked', () => {
  build(screens)
  const urls = ['outbox.js', 'shared.js', 'shared.css', 'listing.js', 'listing.css', 'empty.js']
  urls.push('assets/worker-writes-1.js', 'assets/worker-database-1.js')
  const offline = ['messages.js', 'wizard.js', 'assets/lists-1.css']
  offline.push(...working.map((name) => `assets/${name}-1.js`))
  const files = [...urls, ...offline, 'help.js'].map((url) => ({ url, revision: null }))
  const { manifest } = markKeptScreens(files)
  const marked = (mark: 1 | 2) => manifest.filter(({ soon }) => soon === mark).map(({ url }) => url)
  expect(marked(1)).toEqual(urls)
  expect(marked(2)).toEqual(offline)
  expect(manifest).toHaveLength(26)
})

test('a screen without a chunk fails the build', () => {
  build({ ...screens, 'src/parts/drawings/emptyStates.ts': undefined })
  expect(() => markKeptScreens([])).toThrow('no chunk for src/parts/drawings/emptyStates.ts')
})

test('a chunk of the data worker that is no more fails the build', () => {
  build(screens)
  expect(() => markKeptScreens([{ url: 'assets/worker-writes-1.js' }])).toThrow(
    'no chunk for worker-database',
  )
})
