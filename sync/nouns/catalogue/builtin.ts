import { categories, specsMetadata } from '#schema/catalogue'
import { allPlaces } from '#schema/places'
import type { CatalogueDocument } from '#schema/disk/documents'
import type { Category } from '#schema/wire/catalogue'

/** For the bounds of specs; the server's answer has the current year. */
const YEAR = 2026

export function builtin(id: CatalogueDocument['id']): CatalogueDocument {
  switch (id) {
    case 'categories':
      return { id, categories: categories.map(asCategory) }
    case 'specs':
      return { id, specs: categories.flatMap(({ slug }) => specsMetadata(slug, YEAR) ?? []) }
    case 'places':
      return { id, places: allPlaces() }
  }
}

function asCategory({
  slug,
  names,
  parent,
  isMain,
  position,
}: (typeof categories)[number]): Category {
  return {
    id: slug,
    slug,
    name: names.fr,
    names,
    parent,
    is_main: isMain,
    position,
    listings_count: 0,
  }
}
