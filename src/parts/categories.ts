import slim, { aliases } from 'virtual:categories'

/** In display order; counts and specs come from queries. */
export const categories = slim

const bySlug = new Map(slim.map((category) => [category.slug, category]))

export function categoryOf(slug: string): (typeof slim)[number] | undefined {
  return bySlug.get(slug)
}

/** `text`: a URL parameter or alias; null: unknown, so no filter [D03]. */
export function resolveCategory(text: string) {
  const key = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
  const slug = aliases[key] ?? key
  return bySlug.has(slug) ? slug : null
}
