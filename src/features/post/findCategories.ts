import { wordsOf } from '#schema/fold'
import type { SpecsMetadata } from '#schema/wire/catalogue'
import type { LocalizedText } from '#schema/wire/shapes'

type Named = Readonly<{
  slug: string
  name: LocalizedText
  short: LocalizedText
}>

type CategoryWords = Readonly<{
  slug: string
  names: readonly string[]
  /** Brands, models and options of its fields. */
  goods: readonly string[]
}>

export function categoryWords(
  categories: readonly Named[],
  aliases: Readonly<Record<string, string>>,
  specs: readonly SpecsMetadata[],
): readonly CategoryWords[] {
  return categories.map(({ slug, name, short }) => {
    const others = Object.entries(aliases).filter(([, of]) => of === slug)
    const fields = specs.find(({ category }) => category === slug)?.fields ?? []
    const goods = fields
      .filter(({ name: field }) => kinds.has(field))
      .flatMap(({ options, suggestions, suggestions_by: by }) => [
        ...(options ?? []).flatMap(({ label }) => [label.fr, label.en]),
        ...suggestions,
        ...Object.values(by?.values ?? {}).flat(),
      ])
    return {
      slug,
      names: [name.fr, name.en, short.fr, short.en, ...others.map(([alias]) => alias)].flatMap(
        plainWords,
      ),
      goods: [...new Set(goods.flatMap(plainWords))],
    }
  })
}

/** Not colours and conditions, which are the same everywhere. */
const kinds = new Set(['type', 'device_type', 'property_type', 'brand', 'model', 'platform'])

/** Slugs: matches by name before those by goods. */
export function findCategories(all: readonly CategoryWords[], text: string): readonly string[] {
  const typed = plainWords(text)
  if (typed.length === 0) return all.map(({ slug }) => slug)
  const begins = (words: readonly string[], start: string) =>
    words.some((word) => word.startsWith(start))
  const named = all.filter(({ names }) => typed.every((word) => begins(names, word)))
  const selling = all.filter(
    (one) =>
      !named.includes(one) &&
      typed.every((word) => begins(one.names, word) || begins(one.goods, word)),
  )
  return [...named, ...selling].map(({ slug }) => slug)
}

const plainWords = (text: string) => wordsOf(text.replace(/œ/giu, 'oe'))
