import { sql } from 'kysely'
import type { Filter } from '#schema/filter'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { SearchedText } from '../derive.ts'

/** The common lexemes of `search` with their shares of all listings, as ANALYZE found them. */
interface Frequencies {
  readonly rows: number
  readonly shares: readonly (readonly [lexeme: string, share: number])[]
}

const cache = new AnswerCache<Db, Promise<Frequencies>>(60_000, 1)

export const frequenciesOf = (db: Db, now: Date) =>
  cache.shared(db, '', now, () => readFrequencies(db))

async function readFrequencies(db: Db): Promise<Frequencies> {
  const { rows } = await sql<{
    rows: number
    lexemes: readonly string[] | null
    shares: readonly number[] | null
  }>`select c.reltuples::integer as rows, s.most_common_elems::text::text[] as lexemes,
      s.most_common_elem_freqs as shares
    from pg_class c left join pg_stats s
      on s.schemaname = 'public' and s.tablename = 'listing' and s.attname = 'search'
    where c.oid = 'listing'::regclass`.execute(db)
  const [known] = rows
  return {
    rows: Math.max(0, known?.rows ?? 0),
    shares: (known?.lexemes ?? []).map((lexeme, at) => [lexeme, known?.shares?.[at] ?? 0]),
  }
}

/** Estimated shares of all listings. `words`: that of the rarest word, an upper bound for all. */
export type Shares = Readonly<{
  rows: number
  /** 0: rare, or there are no statistics yet. */
  words: number
  categories: number
  regions: number
}>

export async function sharesOf(
  db: Db,
  { searchWords, categories, regions }: Filter,
  text: SearchedText,
  now: Date,
): Promise<Shares> {
  const { rows, shares } = await frequenciesOf(db, now)
  const share = (fits: (lexeme: string) => boolean) =>
    Math.min(
      1,
      shares.reduce((sum, [lexeme, own]) => (fits(lexeme) ? sum + own : sum), 0),
    )
  const among = (slugs: readonly string[]) =>
    slugs.length === 0 ? 1 : share((lexeme) => slugs.some((slug) => lexeme === `#${slug}`))
  const mark = text === 'title' ? '@' : ''
  const words = searchWords.map((word) => share((lexeme) => lexeme.startsWith(`${mark}${word}`)))
  return {
    rows,
    words: Math.min(1, ...words),
    categories: among(categories),
    regions: among(regions),
  }
}
