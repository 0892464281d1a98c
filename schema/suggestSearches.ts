import { categories } from './catalogue.ts'
import { fold, wordsOf } from './fold.ts'
import { SUGGESTED_SEARCHES } from './limits.ts'
import { corrected, type Vocabulary } from './spelling.ts'
import type { Language } from './wire/shapes.ts'

interface Searchers {
  readonly vocabulary: Vocabulary
  /** Listings that match all words, counted by their own category, and the id of one. */
  find(words: readonly string[]): Matched | Promise<Matched>
}

interface Matched {
  readonly categories: ReadonlyMap<string, number>
  readonly example: string | null
}

/** So many words are tried as the last one, each in so many categories. */
const ENDINGS = 4
const CATEGORIES = 2
/** Of a word's listings; a category with a smaller share is left out. */
const SHARE = 0.3

/** The most frequent first. `example`: a listing whose title may have the words' spelling. */
export async function suggestSearches(typed: string, { vocabulary, find }: Searchers) {
  const words = wordsOf(typed)
  const better = corrected(words, vocabulary)
  const correction = better && { words: better, ...(await find(better)) }
  const isBetter = correction !== null && correction.categories.size > 0
  const exact = await find(words)
  const meant = exact.categories.size > 0 || !isBetter ? words : correction.words
  const endings = await Promise.all(
    endingsOf(meant, vocabulary).map(async (ended) => ({ ended, ...(await find(ended)) })),
  )
  const searches = endings.flatMap(({ ended, categories: counts, example }) => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, CATEGORIES)
      .filter(([, count]) => count >= total * SHARE)
      .map(([category, count]) => ({ words: ended, category, count, example }))
  })
  return {
    corrected: isBetter ? { words: correction.words, example: correction.example } : null,
    searches: searches
      .toSorted((a, b) => b.count - a.count)
      .slice(0, SUGGESTED_SEARCHES)
      .map(({ count: _count, ...search }) => search),
  }
}

export type Suggested = Awaited<ReturnType<typeof suggestSearches>>

/** With the last word completed; no plural beside its singular. */
function endingsOf(words: readonly string[], { words: known, count }: Vocabulary) {
  const start = words.at(-1) ?? ''
  if (start === '') return []
  const listings = new Map<string, number>()
  for (const word of known) if (word.startsWith(start)) listings.set(word, count(word))
  const isPlural = (word: string) =>
    /[sx]$/.test(word) && (listings.get(word.slice(0, -1)) ?? 0) > 0
  return [...listings]
    .filter(([word, count]) => count > 0 && !isPlural(word))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, ENDINGS)
    .map(([word]) => [...words.slice(0, -1), word])
}

const spellings = {
  fr: spellingsIn(categories.map(({ names }) => names.fr)),
  en: spellingsIn(categories.map(({ names }) => names.en)),
}

/** Of a category's name: whatever is in the category is about it. */
export const isCategoryWord = (word: string, language: Language) => spellings[language].has(word)

/** With the accents of one of `texts` or of a category's name. */
export function spelled(words: readonly string[], texts: readonly string[]) {
  const known = spellingsIn(texts)
  return words.map((word) => known.get(word) ?? spellings.fr.get(word) ?? word).join(' ')
}

function spellingsIn(texts: readonly string[]) {
  const tokens = texts.flatMap(
    (text) =>
      text
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
  return new Map(tokens.map((token) => [fold(token), token]))
}
