import { sql } from 'kysely'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { Where } from '../derive.ts'
import type { Asked } from './queries.ts'

/** The common lexemes of `search` with their shares of all listings, as ANALYZE found them. */
interface Frequencies {
  readonly rows: number
  readonly shares: readonly (readonly [lexeme: string, share: number])[]
}

const cache = new AnswerCache<Db, Promise<Frequencies>>(60_000, 1)

export function frequenciesOf(db: Db, now: Date): Promise<Frequencies> {
  const known = cache.get(db, '', now)
  if (known !== undefined) return known
  const read = readFrequencies(db)
  cache.set(db, '', read, now)
  read.catch(() => cache.delete(db, ''))
  return read
}

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
  const [{ rows: all = 0, lexemes = null, shares = null } = {}] = rows
  return {
    rows: Math.max(0, all),
    shares: (lexemes ?? []).map((lexeme, at) => [lexeme, shares?.[at] ?? 0]),
  }
}

export interface Estimate {
  /** Rows in the categories and regions of the filter. */
  readonly scope: number
  /** Rows with the words, at most: related words occur together. */
  readonly matches: number
}

/** 0 matches: rare, or there are no statistics yet. */
export async function estimate(
  db: Db,
  { filter }: Asked,
  where: Where,
  now: Date,
): Promise<Estimate> {
  const { rows, shares } = await frequenciesOf(db, now)
  const share = (fits: (lexeme: string) => boolean) =>
    Math.min(
      1,
      shares.reduce((sum, [lexeme, own]) => (fits(lexeme) ? sum + own : sum), 0),
    )
  const among = (slugs: readonly string[]) =>
    slugs.length === 0 ? 1 : share((lexeme) => slugs.some((slug) => lexeme === `#${slug}`))
  const mark = where === 'title' ? '@' : ''
  const [category, region] = [among(filter.categories), among(filter.regions)]
  const words = filter.searchWords.map((word) =>
    share((lexeme) => lexeme.startsWith(`${mark}${word}`)),
  )
  return { scope: rows * category * region, matches: rows * Math.min(category, region, ...words) }
}
