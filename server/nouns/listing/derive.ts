import { categories } from '#schema/catalogue'
import { fold } from '#schema/fold'
import { searchWords } from '#schema/findable'
import { matchesCategory } from '#schema/match'
import { pointOf, regionSlugs } from '#schema/places'
import type { Row } from '../../db/tables.ts'

export type Description = Pick<
  Row<'listing'>,
  | 'title'
  | 'description'
  | 'category'
  | 'region'
  | 'town'
  | 'neighbourhood'
  | 'location_note'
  | 'specs'
>

/** Computed by the code shared with the client, with every change. */
export function derive(listing: Description) {
  const point =
    pointOf(listing) ?? pointOf({ region: regionSlugs[0] ?? '', town: null, neighbourhood: null })
  const { condition } = listing.specs
  return {
    search: searchVector(listing),
    labels: labelsOf(listing),
    latitude: point?.lat ?? 0,
    longitude: point?.lon ?? 0,
    condition: typeof condition === 'string' ? condition : null,
  }
}

/**
 * A tsvector literal: all terms, `@term` for title, brand and model, `#slug` for categories and
 * region. Terms are alphanumeric, so quoting is enough.
 */
function searchVector(listing: Description) {
  const { title, rest } = searchWords(listing, listing.description)
  const categoryLexemes = categories
    .filter(({ slug }) => matchesCategory(listing, slug))
    .map(({ slug }) => `#${slug}`)
  const lexemes = new Set([
    ...title,
    ...rest,
    ...[...title].map((word) => `@${word}`),
    ...categoryLexemes,
    `#${listing.region}`,
  ])
  return [...lexemes].map((lexeme) => `'${lexeme}'`).join(' ')
}

/** Where words are found: all in title, brand and model, or not all there (`rest`). */
export type SearchedText = 'anywhere' | 'title' | 'rest'

/**
 * A tsquery literal equal to `foundIn`. One condition: the planner underestimates the rows of
 * several.
 */
export function searchQuery(
  words: readonly string[],
  {
    text = 'anywhere',
    within = [],
    elsewhere = null,
  }: {
    text?: SearchedText
    /** Slugs of categories and regions: one of each list. */
    within?: readonly (readonly string[])[]
    /** A listing must match no category of `none`, unless it matches one of `unless`. */
    elsewhere?: { readonly none: readonly string[]; readonly unless: readonly string[] } | null
  } = {},
) {
  const all = (mark: string) => words.map((word) => `'${mark}${word}':*`).join(' & ')
  const found =
    text === 'title' ? all('@') : text === 'rest' ? `${all('')} & !(${all('@')})` : all('')
  const one = (slugs: readonly string[]) => `(${slugs.map((slug) => `'#${slug}'`).join(' | ')})`
  const lists = within.filter((list) => list.length > 0).map((list) => ` & ${one(list)}`)
  if (elsewhere === null) return `${found}${lists.join('')}`
  const unless = elsewhere.unless.map((slug) => ` | '#${slug}'`).join('')
  return `${found}${lists.join('')} & (!${one(elsewhere.none)}${unless})`
}

function labelsOf({ specs, location_note }: Description) {
  const values = Object.entries(specs).filter(([, value]) => typeof value !== 'number')
  const labels = values.map(([name, value]) => specLabel(name, String(value)))
  return location_note === null ? labels : [...labels, noteLabel(location_note)]
}

export const specLabel = (name: string, value: string) => `${name}=${value.toLowerCase()}`
/** Compares without case and accents [API 8.2]; the empty name collides with no spec. */
export const noteLabel = (note: string) => `=${fold(note).trim()}`
