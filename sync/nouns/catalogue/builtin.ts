import { categories, specsMetadata } from '#schema/catalogue'
import { allPlaces } from '#schema/places'
import type { CatalogueDocument } from '#schema/disk/documents'

/** For the bounds of specs; the server's answer has the current year. */
const YEAR = 2026

export function builtin(id: CatalogueDocument['id']): CatalogueDocument {
  switch (id) {
    case 'specs':
      return { id, specs: categories.flatMap(({ slug }) => specsMetadata(slug, YEAR) ?? []) }
    case 'places':
      return { id, places: allPlaces() }
  }
}
