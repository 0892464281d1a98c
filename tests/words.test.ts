import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pages } from './docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = readFileSync(join(root, 'docs/words.md'), 'utf8')

/** The list of words that follows this sentence of docs/words.md. */
function listAfter(sentence: string): readonly string[] {
  const [list = ''] = words.split(`${sentence}:\n`)[1]?.split('.') ?? []
  return list.split(', ')
}

const retired = listAfter('or as the name of a file')
/** Ordinary English in comments, but not a concept of this code. */
const retiredAsNames = listAfter('or the name of a file has one of these words')

/** Text and comments of a source file, without its string literals. */
function withoutStrings(source: string): string {
  return source.replaceAll(/(['"`])(?:\\.|(?!\1).)*\1/g, '')
}

/** Splits camelCase, so that a word inside a name is found; snake_case names are stored ones. */
function splitNames(text: string): string {
  return text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
}

function wordsIn(text: string, of: readonly string[]): readonly string[] {
  return (
    splitNames(text).match(new RegExp(`(?<![\\p{L}_])(?:${of.join('|')})(?![\\p{L}_])`, 'giu')) ??
    []
  )
}
const retiredIn = (text: string) => wordsIn(text, retired)

/** Names of declared types and classes that are nothing but one such word. */
function retiredTypes(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:type|interface|class|enum) (\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => retiredAsNames.includes(name.toLowerCase()))
}

const files = pages(root).filter(({ path }) => /\.tsx?$/.test(path))

test('no retired word is used in code, comments or file names, or inside a name', () => {
  expect(files.length).toBeGreaterThan(700)
  const found = files.flatMap(({ path, text }) =>
    [...retiredIn(withoutStrings(text)), ...retiredIn(basename(path))].map(
      (word) => `${path}: ${word}`,
    ),
  )
  expect(found).toEqual([])
})

test('no type and no file is named by a word that is only ordinary English', () => {
  const found = files.flatMap(({ path, text }) =>
    [...retiredTypes(withoutStrings(text)), ...wordsIn(basename(path), retiredAsNames)].map(
      (word) => `${path}: ${word}`,
    ),
  )
  expect(found).toEqual([])
})

test('what the check reads', () => {
  expect(retired).toEqual(expect.arrayContaining(['shelf', 'passport', 'luck']))
  expect(retiredAsNames).toEqual(expect.arrayContaining(['amend', 'ticket', 'ways']))
  expect(retiredTypes('export type Ticket = 1; interface FetchState {} class Net<T> {}')).toEqual([
    'Ticket',
    'Net',
  ])
  expect(wordsIn('listingTicket.ts', retiredAsNames)).toEqual(['Ticket'])
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
