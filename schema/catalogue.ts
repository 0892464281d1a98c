import * as v from 'valibot'
import file from './data/categories.json' with { type: 'json' }
import { nameKey } from './fold.ts'
import { specField, type SpecField, type SpecsMetadata } from './wire/catalogue.ts'
import type { LocalizedText } from './wire/shapes.ts'

type FileCategory = (typeof file.categories)[number] & {
  readonly also_shows?: readonly { readonly category: string; readonly where: { type: string } }[]
}
type FileField = FileCategory['specs'][number] &
  Partial<Omit<SpecField, 'type' | 'unit'>> & { readonly unit?: string | LocalizedText }

/** Matches listings of a category; `type` null: of any type. */
export interface CategoryFilter {
  readonly category: string
  readonly type: string | null
}

export type Bucket = SpecsMetadata['price']['buckets'][number]

/** Categories [API 4.4] without the server's counts. */
export const categories = file.categories.map((category) => ({
  slug: category.slug,
  names: category.name,
  parent: parentOf(category),
  isMain: category.home_group === category.slug,
  position: category.order,
  categoryFilters: categoryFiltersOf(category),
  /** Otherwise 0 and no price both mean "none" [API 5.3]. */
  priceRequired: category.price.required,
}))

/** Maximum years in the file are of this year. */
const FILE_YEAR = 2026

const bySlug = new Map(categories.map((category) => [category.slug, category]))
const inFile = new Map(file.categories.map((category) => [category.slug, category]))
const aliases = new Map(
  [
    ...Object.entries(file.alias_index),
    ...categories.map(({ slug }): [string, string] => [slug, slug]),
  ].map(([name, slug]) => [nameKey(name), slug]),
)

export function categoryOf(slug: string) {
  return bySlug.get(slug)
}

/** The slug of a slug or alias, ignoring case and accents; null: unknown [API 4.4]. */
export function resolveCategory(text: string) {
  return aliases.get(nameKey(text)) ?? null
}

/** In form order. Maximum years grow by one each January [API 8.7]. */
export function specFields(slug: string, year: number): SpecField[] {
  return (inFile.get(slug)?.specs ?? []).map((field) => fieldOf(field, year))
}

/** [API 8.7]; null for an unknown slug. */
export function specsMetadata(slug: string, year: number): SpecsMetadata | null {
  const category = inFile.get(slug)
  if (category === undefined) return null
  const { currency: _currency, ...price } = category.price
  return {
    category: slug,
    version: file.meta.version,
    card_specs: category.card_specs,
    price: { buckets_by: null, suffix_when: null, ...price },
    fields: specFields(slug, year),
  }
}

/** [API 8.3]. `chosen` returns the value of a spec field if exactly one is chosen. */
export function priceBuckets(
  slug: string | null,
  chosen: (field: string) => string | null,
): readonly Bucket[] {
  const price = slug === null ? undefined : inFile.get(slug)?.price
  if (price === undefined) return file.price_buckets_default
  const by = 'buckets_by' in price ? price.buckets_by : undefined
  const value = by === undefined ? null : chosen(by.field)
  if (by !== undefined && value === 'rent') return by.rent
  if (by !== undefined && value === 'sale') return by.sale
  return price.buckets
}

/** Of all categories, with the label of the first that has it [API 8.2]. */
export const conditions: ReadonlyMap<string, LocalizedText> = conditionsOfAll()

function conditionsOfAll() {
  const labels = new Map<string, LocalizedText>()
  for (const { slug } of categories)
    for (const field of specFields(slug, FILE_YEAR))
      if (field.name === 'condition')
        for (const option of field.options ?? [])
          if (!labels.has(option.value)) labels.set(option.value, option.label)
  return labels
}

function parentOf(category: { slug: string; home_group: string | null }) {
  return category.home_group === category.slug ? null : category.home_group
}

function categoryFiltersOf(category: FileCategory) {
  const whole = file.categories
    .filter((other) => other.slug === category.slug || parentOf(other) === category.slug)
    .map(({ slug }) => slug)
  const also = (category.also_shows ?? []).filter((other) => !whole.includes(other.category))
  return [
    ...whole.map((slug) => ({ category: slug, type: null })),
    ...also.map((other) => ({ category: other.category, type: other.where.type })),
  ]
}

function fieldOf(field: FileField, year: number): SpecField {
  const { max = null } = field
  const isYear = field.name.startsWith('year')
  return {
    name: field.name,
    label: field.label,
    type: v.parse(specField.entries.type, field.type),
    options: field.options?.map(({ value, label }) => ({ value, label })) ?? null,
    unit: unitOf(field.unit),
    required: field.required,
    filterable: field.filterable,
    min: field.min ?? null,
    max: isYear && max !== null ? max + Math.max(0, year - FILE_YEAR) : max,
    max_length: field.type === 'text' ? (field.max_length ?? 60) : null,
    hidden_when: field.hidden_when ?? null,
    suggestions: field.suggestions ?? [],
    suggestions_by: field.suggestions_by ?? null,
    examples: field.examples ?? [],
    addition: field.addition ?? false,
  }
}

function unitOf(unit: string | LocalizedText | undefined) {
  if (unit === undefined) return null
  return typeof unit === 'string' ? { fr: unit, en: unit } : unit
}
