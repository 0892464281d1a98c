import { sql } from 'kysely'
import { categories } from '#schema/catalogue'
import type { Filter } from '#schema/filter'
import { wordsOf } from '#schema/fold'
import type { Vocabulary } from '#schema/spelling'
import { spelled, suggestSearches } from '#schema/suggestSearches'
import type { Language } from '#schema/wire/shapes'
import { hasRows } from '../../../db/sql.ts'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { searchQuery } from '../derive.ts'
import { EXACT_MAX, someOf } from './find.ts'
import { keptCounts, keptRows } from './kept.ts'

/** [API 8.11] */
export async function suggest(db: Db, filter: Filter, { now, language }: View) {
  const { corrected, searches } = await suggestSearches(filter.searchWords.join(' '), {
    vocabulary: await vocabularyOf(db, filter, language, now),
    find: (words) => categoriesOf(db, { ...filter, searchWords: words }, now),
  })
  const examples = [corrected, ...searches].flatMap((one) => one?.example ?? [])
  const titles = await titlesOf(db, examples)
  return {
    corrected: corrected && spelled(corrected.words, titles),
    results: searches.map(({ words, category }) => ({ search: spelled(words, titles), category })),
  }
}

/** Only the most frequent of the words that fit a typed one are read. */
const WORDS_MAX = 500

/** Words that continue or resemble the typed ones, and words of categories. */
async function vocabularyOf(
  db: Db,
  filter: Filter,
  language: Language,
  now: Date,
): Promise<Vocabulary> {
  const typed = filter.searchWords
  const inTitles = (fits: ReturnType<typeof sql>) => sql`
    select value as word, sum(n)::integer as n from ${keptRows(sql`facet = 'word' and ${fits}`)}
    group by value having sum(n) > 0 order by 2 desc limit ${WORDS_MAX}`
  const { rows } = await sql<{ word: string; n: number }>`
    select found.* from unnest(${typed}::text[]) typed(word) cross join lateral (
      (${inTitles(sql`value >= typed.word and value < typed.word || chr(1114111)`)})
      union (${inTitles(sql`value in (select words_like(typed.word))`)})) found`.execute(db)
  const counts = new Map(rows.map(({ word, n }) => [word, n]))
  for (const word of typed)
    if (!rows.some((row) => row.word.startsWith(word)) && (await isDescribed(db, word)))
      counts.set(word, 0)
  const kept = (await keptCounts(db, { ...filter, categories: [] }, [''], now)) ?? []
  const named = new Map<string, number>()
  for (const { slug, names } of categories) {
    const listings = kept.filter(({ value }) => value.startsWith(`${slug}\n`))
    const count = listings.reduce((sum, { n }) => sum + n, 0)
    for (const word of new Set(wordsOf(names[language])))
      named.set(word, (named.get(word) ?? 0) + count)
  }
  for (const [word, count] of named) counts.set(word, Math.max(count, counts.get(word) ?? 0))
  return { words: [...counts.keys()], count: (word) => counts.get(word) ?? 0 }
}

const isDescribed = (db: Db, word: string) =>
  hasRows(db, sql`listing l where l.listed and l.search @@ ${searchQuery([word])}::tsquery`)

async function categoriesOf(db: Db, filter: Filter, now: Date) {
  const asked = { filter, sellerId: null, scope: 'public', me: null } as const
  const titled = sql`l.search @@ ${searchQuery(filter.searchWords, { text: 'title' })}::tsquery as titled`
  const some = await someOf(db, asked, sql`l.id, l.category, ${titled}`, EXACT_MAX, now)
  const { rows } = await sql<{ category: string; n: number; example: string | null }>`
    select category, count(*)::integer as n, min(id) filter (where titled) as example
    from ${some} l group by category order by 2 desc, 1`.execute(db)
  return {
    categories: new Map(rows.map(({ category, n }) => [category, n])),
    example: rows.find((row) => row.example !== null)?.example ?? null,
  }
}

async function titlesOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('listing').select('title').where('id', 'in', ids).execute()
  return rows.map(({ title }) => title)
}
