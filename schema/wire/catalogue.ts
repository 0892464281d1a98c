import * as v from 'valibot'
import { call } from './call.ts'
import { count, localizedText } from './shapes.ts'

/** [API 4.4] */
export const category = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  names: localizedText,
  parent: v.nullable(v.string()),
  is_main: v.boolean(),
  position: count,
  listings_count: count,
})
export type Category = v.InferOutput<typeof category>

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
  hidden_when: v.nullable(v.record(v.string(), v.array(v.string()))),
  suggestions: v.array(v.string()),
  /** For each value of another field, such as the models of a brand. */
  suggestions_by: v.optional(
    v.nullable(v.object({ field: v.string(), values: v.record(v.string(), v.array(v.string())) })),
  ),
  examples: v.array(v.string()),
  addition: v.boolean(),
})
export type SpecField = v.InferOutput<typeof specField>

/** [API 8.7] */
export const specsMetadata = v.object({
  category: v.string(),
  version: v.number(),
  card_specs: v.array(v.string()),
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
  town: v.nullable(v.string()),
  town_name: v.nullable(v.string()),
  label: v.string(),
})
export type Place = v.InferOutput<typeof place>

/** [API 8.8] with `all=1`: the whole gazetteer. */
export const places = v.object({
  version: v.number(),
  popular: v.array(v.string()),
  regions: v.array(
    v.object({
      id: v.string(),
      slug: v.string(),
      name: v.string(),
      former_name: v.nullable(v.string()),
      label: localizedText,
      chief_town: v.string(),
      aliases: v.array(v.string()),
    }),
  ),
  towns: v.array(
    v.object({
      slug: v.string(),
      name: v.string(),
      region: v.string(),
      lat: v.number(),
      lon: v.number(),
      aliases: v.array(v.string()),
    }),
  ),
  neighbourhoods: v.array(
    v.object({
      slug: v.string(),
      name: v.string(),
      town: v.string(),
      lat: v.nullable(v.number()),
      lon: v.nullable(v.number()),
      aliases: v.array(v.string()),
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
