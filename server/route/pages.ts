import { refuse } from './refusal.ts'

export type Page = Readonly<{
  number: number
  size: number
  offset: number
}>

export type Query = Readonly<Record<string, unknown>> & {
  readonly page?: number | undefined
  readonly page_size?: number | undefined
}

export function pageOf(query: Query, usual: number, max: number): Page {
  const number = query.page ?? 1
  const size = Math.min(query.page_size ?? usual, max)
  return { number, size, offset: (number - 1) * size }
}

/** `path` is relative to `/api/`. */
export interface Listed {
  readonly path: string
  readonly query: Query
}

export async function paged<T>(
  listed: Listed,
  usual: number,
  max: number,
  find: (page: Page) => Promise<{ count: number; rows: T[] }>,
) {
  const page = pageOf(listed.query, usual, max)
  const { count, rows } = await find(page)
  return { count, ...linksOf(listed, page, count), results: rows }
}

/** Throws `invalid_page` beyond the last page. */
export function linksOf({ path, query }: Listed, page: Page, count: number) {
  if (page.number > 1 && page.offset >= count) throw refuse('invalid_page')
  const at = (number: number) => linkTo(path, { ...query, page: number })
  return {
    next: page.offset + page.size < count ? at(page.number + 1) : null,
    previous: page.number > 1 ? at(page.number - 1) : null,
  }
}

export function linkTo(path: string, query: Readonly<Record<string, unknown>>) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return `/api/${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
