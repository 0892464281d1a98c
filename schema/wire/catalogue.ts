import * as v from 'valibot'
import { call } from './call.ts'
import { count, localizedText, nullableText } from './shapes.ts'

const texts = v.array(v.string())

/** [API 4.4] */
export const category = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  names: localizedText,
  parent: nullableText,
  is_main: v.boolean(),
  position: count,
  listings_count: count,
})

const bucket = v.object({
  id: v.string(),
  min: count,
  max: v.nullable(count),
  label: localizedText,
})

/** [API 8.7] */
export const specField = v.object({
  name: v.string(),
  label: localizedText,
  type: v.picklist(['text', 'integer', 'boolean', 'enum']),
  options: v.nullable(v.array(v.object({ value: v.string(), label: localizedText }))),
  unit: v.nullable(localizedText),
  required: v.boolean(),
  filterable: v.boolean(),
  min: v.nullable(v.number()),
  max: v.nullable(v.number()),
  max_length: v.nullable(v.number()),
  hidden_when: v.nullable(v.record(v.string(), texts)),
  suggestions: texts,
  /** For each value of another field, such as the models of a brand. */
  suggestions_by: v.optional(
    v.nullable(v.object({ field: v.string(), values: v.record(v.string(), texts) })),
  ),
  examples: texts,
  addition: v.boolean(),
})
export type SpecField = v.InferOutput<typeof specField>

/** [API 8.7] */
export const specsMetadata = v.object({
  category: v.string(),
  version: v.number(),
  card_specs: texts,
  price: v.object({
    required: v.boolean(),
    zero_or_absent_allowed: v.boolean(),
    absent_label: v.nullable(localizedText),
    label: localizedText,
    step: v.number(),
    max: v.number(),
    buckets: v.array(bucket),
    buckets_by: v.nullable(v.record(v.string(), v.union([v.string(), v.array(bucket)]))),
    suffix_when: v.nullable(v.record(v.string(), v.record(v.string(), localizedText))),
  }),
  fields: v.array(specField),
})
export type SpecsMetadata = v.InferOutput<typeof specsMetadata>

/** [API 8.8] */
export const place = v.object({
  type: v.picklist(['region', 'town', 'neighbourhood']),
  slug: v.string(),
  name: v.string(),
  region: v.string(),
  region_name: v.string(),
  town: nullableText,
  town_name: nullableText,
  label: v.string(),
})
export type Place = v.InferOutput<typeof place>

const named = { slug: v.string(), name: v.string(), aliases: texts }

/** [API 8.8] with `all=1`: the whole gazetteer. */
export const places = v.object({
  version: v.number(),
  popular: texts,
  regions: v.array(
    v.object({
      ...named,
      id: v.string(),
      former_name: nullableText,
      label: localizedText,
      chief_town: v.string(),
    }),
  ),
  towns: v.array(
    v.object({
      ...named,
      region: v.string(),
      lat: v.number(),
      lon: v.number(),
    }),
  ),
  neighbourhoods: v.array(
    v.object({
      ...named,
      town: v.string(),
      lat: v.nullable(v.number()),
      lon: v.nullable(v.number()),
    }),
  ),
})
export type Places = v.InferOutput<typeof places>

/** [API 8.1] */
export const listCategories = call('catalogue.categories', 'GET', 'categories/', {
  cache: 'static',
  answer: v.object({ count, results: v.array(category) }),
})

/** [API 8.7]: all without `category`. */
export const readSpecs = call('catalogue.specs', 'GET', 'specs-metadata/', {
  cache: 'static',
  query: v.object({ category: v.optional(v.string()) }),
  answer: v.union([specsMetadata, v.object({ results: v.array(specsMetadata) })]),
})

/** [API 8.8] */
export const suggestPlaces = call('catalogue.places', 'GET', 'locations-suggest/', {
  query: v.object({ q: v.optional(v.string()), all: v.optional(v.boolean()) }),
  answer: v.union([places, v.object({ results: v.array(place) })]),
})
