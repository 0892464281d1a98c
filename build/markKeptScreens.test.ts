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
  'src/features/post/CreateListingScreen.tsx': { file: 'wizard.js' },
}

function build(manifest: object): void {
  mkdirSync('dist/web/.vite', { recursive: true })
  writeFileSync('dist/web/.vite/manifest.json', JSON.stringify(manifest))
}

test('files of the kept screens, of what they import and their styles are marked', () => {
  build(screens)
  const urls = ['outbox.js', 'shared.js', 'shared.css', 'listing.js', 'listing.css', 'empty.js']
  const files = [...urls, 'wizard.js'].map((url) => ({ url, revision: null }))
  const { manifest } = markKeptScreens(files)
  expect(manifest.filter(({ soon }) => soon).map(({ url }) => url)).toEqual(urls)
  expect(manifest).toHaveLength(7)
})

test('a screen without a chunk fails the build', () => {
  build({ ...screens, 'src/parts/drawings/emptyStates.ts': undefined })
  expect(() => markKeptScreens([])).toThrow('no chunk for src/parts/drawings/emptyStates.ts')
})
