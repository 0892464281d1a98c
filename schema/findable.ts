import { categoryOf } from './catalogue.ts'
import { fold, wordsOf } from './fold.ts'
import { townName } from './places.ts'
import type { ListingDetail } from './wire/listing.ts'

/** What filters, search and facets read as it is stored. */
export const findableNames = [
  'id',
  'seller_id',
  'category',
  'region',
  'town',
  'neighbourhood',
  'location_note',
  'price',
  'condition',
  'negotiable',
  'images_count',
  'is_featured',
] as const

export type Findable = Readonly<
  Pick<
    ListingDetail,
    | Exclude<(typeof findableNames)[number], 'category' | 'seller_id'>
    // Empty if unknown (a card on the device).
    | 'specs'
  >
> &
  Readonly<{
    category: string
    seller_id: string
    seller_verified: boolean
    /** Publication in ms; 0: never. */
    posted: number
  }>

/** What a search looks in, beside the description [API 8.2]. */
type Described = Pick<Findable, 'category' | 'town' | 'specs'> & { readonly title: string }

export type Searchable = Readonly<ReturnType<typeof searchable>>

/** Both: normalized terms, each after a space for `foundIn`. Those in `title` rank first. */
export function searchable(listing: Described, description: string) {
  const { title, rest } = searchWords(listing, description)
  const line = (words: Iterable<string>) => [...words].map((word) => ` ${word}`).join('')
  return { title: line(title), all: line(new Set([...title, ...rest])) }
}

/** [D108]. Overlong ones are cut, for texts without spaces. */
export function searchWords(
  listing: Described,
  description: string,
): { title: Set<string>; rest: Set<string> } {
  const names = categoryOf(listing.category)?.names
  const spec = (name: string) => String(listing.specs[name] ?? '')
  const cut = (text: string) => new Set(wordsOf(text).map((word) => word.slice(0, WORD_MAX)))
  return {
    title: cut(`${listing.title} ${spec('brand')} ${spec('model')}`),
    rest: cut(
      `${names?.fr ?? ''} ${names?.en ?? ''} ${listing.town === null ? '' : townName(listing.town)} ${description}`,
    ),
  }
}

const WORD_MAX = 300

export function foundIn(line: string, words: readonly string[]) {
  return words.every((word) => line.includes(` ${word}`))
}

/** 0: all in title, brand or model. */
export function relevance(listing: Searchable, words: readonly string[]): 0 | 1 {
  return foundIn(listing.title, words) ? 0 : 1
}

/** Without case and accents [API 8.2]. */
export const sameNote = (note: string | null, text: string) =>
  note !== null && fold(note).trim() === fold(text).trim()
