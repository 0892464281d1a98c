import { refuse } from './refusal.ts'

export interface Page {
  readonly number: number
  readonly size: number
  readonly offset: number
}

export type Query = Readonly<Record<string, unknown>> & {
  readonly page?: number | undefined
  readonly page_size?: number | undefined
}

export function pageOf(query: Query, usual: number, max: number): Page {
  const number = query.page ?? 1
  const size = Math.min(query.page_size ?? usual, max)
  return { number, size, offset: (number - 1) * size }
}

/** Throws `invalid_page` beyond the last page. `path` is relative to `/api/`. */
export function linksOf(
  path: string,
  query: Query,
  page: Page,
  count: number,
): { count: number; next: string | null; previous: string | null } {
  if (page.number > 1 && page.offset >= count) throw refuse('invalid_page')
  const at = (number: number) => linkTo(path, { ...query, page: number })
  return {
    count,
    next: page.offset + page.size < count ? at(page.number + 1) : null,
    previous: page.number > 1 ? at(page.number - 1) : null,
  }
}

export function linkTo(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return `/api/${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
