import slim, { aliases } from 'virtual:categories'

/** The categories in display order, as the app was built with them; the server's counts and specs come by questions. */
export const categories = slim

const bySlug = new Map(slim.map((category) => [category.slug, category]))

export function categoryOf(slug: string): (typeof slim)[number] | undefined {
  return bySlug.get(slug)
}

/** The slug that an address means, aliases of the footer's links included; null: no such category, so no filter [D03]. */
export function resolveCategory(text: string): string | null {
  const key = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
  const slug = aliases[key] ?? key
  return bySlug.has(slug) ? slug : null
}
