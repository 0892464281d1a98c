import { categories } from '#schema/catalogue'
import { fold } from '#schema/fold'
import { searchWords } from '#schema/findable'
import { matchesCategory } from '#schema/match'
import { pointOf, regionSlugs } from '#schema/places'
import type { Specs } from '#schema/wire/listing'

/** What a listing says of itself; places and category are slugs. */
export interface Description {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly region: string
  readonly town: string | null
  readonly neighbourhood: string | null
  readonly location_note: string | null
  readonly specs: Specs
}

/** Columns of `listing` that follow from others. */
export interface Derived {
  readonly search: string
  readonly labels: string[]
  readonly latitude: number
  readonly longitude: number
  readonly condition: string | null
}

/** Computes them with the code that the phone shares, so that both find the same. To be written with every change of a description. */
export function derive(listing: Description): Derived {
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
 * A tsvector literal: every word; once more with `@` those of title, brand and model; with `#` the categories whose filter
 * shows the listing, and its region, so that a search within them is one look into the index. Words are letters and
 * digits only, so quoting is enough.
 */
function searchVector(listing: Description): string {
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

const [TITLE, CATEGORY] = ['@', '#'].map((mark) => mark.charCodeAt(0))
/** Tells the words of a vector as the database writes it; those of the title may come twice. */
export function eachWord(vector: string, tell: (word: string, inTitle: boolean) => void): void {
  for (const lexeme of vector.slice(1, -1).split("' '")) {
    const mark = lexeme.charCodeAt(0)
    if (mark === TITLE) tell(lexeme.slice(1), true)
    else if (mark !== CATEGORY) tell(lexeme, false)
  }
}

/** Where the words of a search are looked for: anywhere, all in title, brand and model, or anywhere but not all there. */
export type Where = 'anywhere' | 'title' | 'rest'

/**
 * A tsquery literal that finds what `foundIn` finds, within categories and regions as far as they are given. All of it is
 * one condition, because the database would take several for independent and guess their rows far too few.
 */
export function searchQuery(
  words: readonly string[],
  slugs: readonly (readonly string[])[] = [],
  where: Where = 'anywhere',
): string {
  const all = (mark: string) => words.map((word) => `'${mark}${word}':*`).join(' & ')
  const found =
    where === 'title' ? all('@') : where === 'rest' ? `${all('')} & !(${all('@')})` : all('')
  const within = slugs
    .filter((list) => list.length > 0)
    .map((list) => ` & (${list.map((slug) => `'#${slug}'`).join(' | ')})`)
  return `${found}${within.join('')}`
}

function labelsOf({ specs, location_note }: Description): string[] {
  const values = Object.entries(specs).filter(([, value]) => typeof value !== 'number')
  const labels = values.map(([name, value]) => specLabel(name, String(value)))
  return location_note === null ? labels : [...labels, noteLabel(location_note)]
}

/** How a spec's value is compared: equal without case [API 8.2]. */
export const specLabel = (name: string, value: string): string => `${name}=${value.toLowerCase()}`
/** How the note of a place is compared: without case and accents [API 8.2]. No spec has an empty name. */
export const noteLabel = (note: string): string => `=${fold(note).trim()}`
