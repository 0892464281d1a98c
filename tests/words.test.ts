import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pages } from './docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [, list = ''] =
  /^## Retired\n[^:]*:\n([^.]+)\./m.exec(readFileSync(join(root, 'docs/words.md'), 'utf8')) ?? []
const retired = list.split(', ')

/** Text and comments of a source file, without its string literals. */
function withoutStrings(source: string): string {
  return source.replaceAll(/(['"`])(?:\\.|(?!\1).)*\1/g, '')
}

/** Splits camelCase, so that a word inside a name is found; snake_case names are stored ones. */
function splitNames(text: string): string {
  return text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
}

function retiredIn(text: string): readonly string[] {
  return (
    splitNames(text).match(
      new RegExp(`(?<![\\p{L}_])(?:${retired.join('|')})(?![\\p{L}_])`, 'giu'),
    ) ?? []
  )
}

test('no retired word is used in code, comments or file names, or inside a name', () => {
  const files = pages(root).filter(({ path }) => /\.tsx?$/.test(path))
  expect(files.length).toBeGreaterThan(700)
  const found = files.flatMap(({ path, text }) =>
    [...retiredIn(withoutStrings(text)), ...retiredIn(basename(path))].map(
      (word) => `${path}: ${word}`,
    ),
  )
  expect(found).toEqual([])
})

test('what the check reads', () => {
  expect(retired).toContain('passport')
  expect(retiredIn(withoutStrings("const tape = 'desk' // a shelf, shelved"))).toEqual([
    'tape',
    'shelf',
  ])
  expect(retiredIn('placeOnShelf shelfJob HTMLTape expiry_told_at glassy')).toEqual([
    'Shelf',
    'shelf',
    'Tape',
  ])
})
