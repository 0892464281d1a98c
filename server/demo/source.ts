import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { categories, specFields } from '#schema/catalogue'
import texts from '#schema/data/texts.json' with { type: 'json' }

const strings = v.array(v.string())
const range = v.tuple([v.number(), v.number()])
const shares = v.record(v.string(), v.number())
/** Facts of a listing that must match whole; an absent fact is an empty string. */
const when = v.record(
  v.string(),
  v.pipe(
    v.string(),
    v.transform((value) => new RegExp(`^(?:${value})$`, 'u')),
  ),
)
const phrase = v.union([
  v.pipe(
    v.string(),
    v.transform((t) => ({ t, when: {} })),
  ),
  v.object({ t: v.string(), when }),
])
const phrases = v.array(phrase)
export type Phrase = v.InferOutput<typeof phrase>
export type When = v.InferOutput<typeof when>

/** `{color}` is the colour of the picture; an empty string is no value. */
const draw = v.union([
  v.string(),
  v.number(),
  v.boolean(),
  v.object({
    share: v.optional(shares),
    from: v.optional(range, [0, 0]),
    step: v.optional(v.number(), 1),
    chance: v.optional(v.number(), 1),
    when: v.optional(when, {}),
  }),
])
export type Draw = v.InferOutput<typeof draw>
const draws = v.record(v.string(), draw)

const category = v.object({
  weight: v.number(),
  /** Absent where goods have no condition. */
  share_new: v.optional(v.number()),
  /** Listings without a price. */
  share_free: v.optional(v.number(), 0),
  share_negotiable: v.number(),
  share_phone: v.number(),
  images: range,
  /** Prices below the first number are multiples of the second. */
  steps: v.array(range),
  driven: v.optional(
    v.object({ field: v.string(), per_year: range, step: v.number(), absent: v.number() }),
  ),
  place_factor: v.optional(shares, {}),
  specs: draws,
  /** Drawn like specs, for phrases only. */
  facts: v.optional(draws, {}),
  things: v.array(
    v.object({
      name: v.optional(v.string(), ''),
      /** m, f, mp or fp. */
      agree: v.string(),
      /** An empty one is no brand. */
      brands: v.optional(strings, ['']),
      /** Write the brand after the name: `Imprimante laser Canon`. */
      after: v.optional(v.boolean(), false),
      model: v.optional(v.string(), ''),
      years: v.optional(range),
      new: v.optional(range),
      used: v.optional(range),
      specs: draws,
      weight: v.number(),
      /** Kinds of pictures/manifest.json that show it. */
      pictures: v.pipe(strings, v.minLength(1)),
      /** A kind for later photos: the rooms of a house. */
      inside: v.optional(v.string()),
    }),
  ),
  titles: phrases,
  parts: v.object({ open: phrases, facts: phrases, state: phrases, extra: phrases }),
})
export type DemoCategory = v.InferOutput<typeof category>

const dialogue = v.object({
  topic: v.string(),
  categories: v.optional(strings),
  when: v.optional(when, {}),
  turns: v.array(v.object({ from: v.picklist(['buyer', 'seller']), text: v.string() })),
})
export type Dialogue = v.InferOutput<typeof dialogue>
const dialogues = v.array(dialogue)

const statuses = v.object({
  active: v.number(),
  sold: v.number(),
  reserved: v.number(),
  pending: v.number(),
  rejected: v.number(),
  archived: v.number(),
})
export type Status = keyof v.InferOutput<typeof statuses>
const nullable = v.optional(v.nullable(v.string()), null)
const flag = v.optional(v.boolean(), false)

const source = v.object({
  /** Masculine and feminine, by the colour name in a listing's specs. */
  colours: v.record(v.string(), v.tuple([v.string(), v.string()])),
  statuses,
  /** Make a title 70 to 80 characters long, to test the layout of cards. */
  title_endings: phrases,
  unusual_sentences: strings,
  other_models: strings,
  topics: v.object({
    anywhere: strings,
    without_goods: strings,
    goods: strings,
    never_first: strings,
    by_category: v.record(v.string(), strings),
  }),
  categories: v.record(v.string(), category),
  common: v.object({
    price: phrases,
    meet: phrases,
    delivery: phrases,
    close: phrases,
    places: strings,
  }),
  people: v.object({
    given: strings,
    family: strings,
    usernames: v.object({ patterns: strings, words: strings }),
    /** By the category that they sell, and for any. */
    bios: v.record(v.string(), strings),
    response_hours: shares,
    /** In the order of ACCOUNTS in person.ts. */
    accounts: v.array(
      v.object({
        username: v.string(),
        phone: nullable,
        joinedDaysAgo: v.number(),
        shopName: nullable,
        bio: v.optional(v.string(), ''),
        verifiedSeller: flag,
        moderator: flag,
        responseHours: v.optional(v.nullable(v.number()), null),
      }),
    ),
  }),
  shops: v.object({
    patterns: strings,
    words: strings,
    trades: v.record(v.string(), strings),
    places: strings,
    of_thing: v.record(v.string(), v.string()),
  }),
  dialogues: v.object({ ordinary: dialogues, scam: dialogues }),
  reviews: v.object({
    distribution: shares,
    share_without_comment: v.number(),
    comments: v.record(v.string(), strings),
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

export function categoryOf(slug: string): DemoCategory {
  const found = content.categories[slug]
  if (!found) throw new Error(`no demo category ${slug}`)
  return found
}

/** The French label of an option, such as `128 Go` for mobile-tablet, internal_storage, 128gb. */
export const optionLabels = new Map(
  categories.flatMap(({ slug }) =>
    specFields(slug, 0).flatMap(({ name, options }) =>
      (options ?? []).map(({ value, label }) => [`${slug} ${name} ${value}`, label.fr] as const),
    ),
  ),
)
