import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { categories, specFields } from '#schema/catalogue'
import texts from '#schema/data/texts.json' with { type: 'json' }

const strings = v.array(v.string())
const words = v.object({ fr: v.string(), en: v.string() })
const names = v.object({ fr: v.string(), fr_lc: v.string(), en: v.string(), en_lc: v.string() })
const range = v.tuple([v.number(), v.number()])
const share = v.record(v.string(), v.number())
const phrase = v.object({
  t: v.string(),
  when: v.optional(v.record(v.string(), v.union([v.string(), strings]))),
})
export type Phrase = v.InferOutput<typeof phrase>
const parts = v.object({
  open: v.array(phrase),
  facts: v.array(phrase),
  state: v.array(phrase),
  extra: v.array(phrase),
})
const specs = v.record(v.string(), v.union([v.string(), v.number()]))

const pictured = {
  /** Kinds of pictures/manifest.json that show it. */
  pictures: v.pipe(strings, v.minLength(1)),
  /** A kind for later photos: a car's dashboard, the rooms of a house. */
  inside: v.optional(v.string()),
}
export interface PictureKinds {
  readonly kinds: readonly string[]
  readonly inside: string | null
}

const model = v.object({
  ...pictured,
  brand: v.string(),
  model: v.string(),
  price_used: v.nullable(range),
  price_new: v.nullable(range),
  years: range,
  specs,
  weight: v.number(),
})
const item = v.object({
  ...pictured,
  name: names,
  type: v.nullable(v.string()),
  brands: strings,
  brand_after: v.optional(v.boolean()),
  price_used: v.nullable(range),
  price_new: v.nullable(range),
  specs,
  weight: v.number(),
  feminine: v.boolean(),
  plural: v.boolean(),
})
const kind = v.object({
  ...pictured,
  offer_type: v.string(),
  property_type: v.string(),
  name: words,
  feminine: v.boolean(),
  bedrooms: v.nullable(range),
  bathrooms: v.nullable(range),
  size_sqm: range,
  furnished: v.optional(v.boolean()),
  price: range,
  weight: v.number(),
})
const role = v.object({
  ...pictured,
  name: names,
  price_range: v.nullable(range),
  feminine: v.boolean(),
  plural: v.boolean(),
})
export type Model = v.InferOutput<typeof model>
export type Item = v.InferOutput<typeof item>
export type Kind = v.InferOutput<typeof kind>
export type Role = v.InferOutput<typeof role>

const category = v.object({
  weight: v.number(),
  share_new: v.optional(v.number(), 0),
  share_free: v.optional(v.number(), 0),
  share_price_absent: v.optional(v.number(), 0),
  share_negotiable: v.number(),
  share_phone: v.number(),
  images: range,
  colors: v.optional(strings, []),
  models: v.optional(v.array(model), []),
  items: v.optional(v.array(item), []),
  kinds: v.optional(v.array(kind), []),
  roles: v.optional(v.array(role), []),
  place_factor: v.optional(share, {}),
  titles: v.object({ fr: v.array(phrase), en: v.array(phrase) }),
  parts: v.object({ fr: parts, en: parts }),
})
export type DemoCategory = v.InferOutput<typeof category>

const both = v.object({ fr: strings, en: strings })
const dialogue = v.object({
  topic: v.string(),
  categories: v.optional(strings),
  turns: v.array(v.object({ from: v.picklist(['buyer', 'seller']), text: v.string() })),
})
export type Dialogue = v.InferOutput<typeof dialogue>

const colour = v.object({
  masculine: v.string(),
  feminine: v.string(),
  english: v.string(),
  /** Stored colours whose pictures may be used instead, the nearest first. */
  near: strings,
})
const statuses = v.object({
  active: v.number(),
  sold: v.number(),
  reserved: v.number(),
  pending: v.number(),
  rejected: v.number(),
  archived: v.number(),
})
export type Status = keyof v.InferOutput<typeof statuses>

const source = v.object({
  /** Keyed by the colour name in a listing's specs. */
  colours: v.record(v.string(), colour),
  furniture_colours: strings,
  /** Makers that are no brand: left out of specs and of phrases with a brand. */
  no_brands: strings,
  sizes: v.record(v.string(), share),
  statuses,
  /** Make a title 70 to 80 characters long, to test the layout of cards. */
  title_endings: both,
  unusual_sentences: strings,
  other_models: strings,
  topics: v.object({
    anywhere: strings,
    without_goods: strings,
    goods: strings,
    never_first: strings,
    by_category: v.record(v.string(), strings),
  }),
  genders: v.object({ fr: v.record(v.string(), v.string()), en: v.record(v.string(), v.string()) }),
  categories: v.record(v.string(), category),
  common: v.object({
    price: both,
    price_when: v.object({ negotiable: v.array(v.number()), fixed: v.array(v.number()) }),
    meet: both,
    delivery: both,
    close: both,
    places: strings,
  }),
  people: v.object({
    given_female: strings,
    given_male: strings,
    family: strings,
    usernames: v.object({ patterns: strings, words: strings }),
    bios: both,
    /** In the order of ACCOUNTS in person.ts. */
    accounts: v.array(
      v.object({
        username: v.string(),
        phone: v.optional(v.nullable(v.string()), null),
        joinedDaysAgo: v.number(),
        shopName: v.optional(v.nullable(v.string()), null),
        bio: v.optional(v.string(), ''),
        verifiedSeller: v.optional(v.boolean(), false),
        moderator: v.optional(v.boolean(), false),
        responseHours: v.optional(v.nullable(v.number()), null),
      }),
    ),
  }),
  shops: v.object({
    patterns: strings,
    words: strings,
    trades: v.record(v.string(), strings),
    places: strings,
    things: strings,
  }),
  dialogues: v.object({ fr: v.array(dialogue), en: v.array(dialogue), scam: v.array(dialogue) }),
  reviews: v.object({
    distribution: share,
    share_without_comment: v.number(),
    fr: v.record(v.string(), strings),
    en: v.record(v.string(), strings),
  }),
  rejection_reasons: strings,
  saved_searches: v.array(
    v.object({ name: v.string(), params: v.record(v.string(), v.union([v.string(), v.number()])) }),
  ),
  reports: v.array(
    v.object({
      category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
      message: v.string(),
    }),
  ),
})

/** The path is relative to this folder; throws when the file does not match the schema. */
export function readJson<T extends v.GenericSchema>(
  schema: T,
  ...path: string[]
): v.InferOutput<T> {
  return v.parse(schema, JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8')))
}

const frauds = texts.scam_patterns
  .filter(({ severity }) => severity === 'high')
  .map(({ pattern, flags }) => new RegExp(pattern, flags))

export function looksFraudulent(text: string): boolean {
  const folded = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
  return frauds.some((fraud) => fraud.test(folded))
}

export const content = readJson(source, 'demo-content.json')
/** The label of an option, such as `128 Go` for mobile-tablet, internal_storage, 128gb. */
export const optionLabels = new Map(
  categories.flatMap(({ slug }) =>
    specFields(slug, 0).flatMap(({ name, options }) =>
      (options ?? []).map(({ value, label }) => [`${slug} ${name} ${value}`, label] as const),
    ),
  ),
)
