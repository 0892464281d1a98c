import {
  colourOf,
  colourWord,
  englishColour,
  figure,
  gender,
  label,
  type Language,
  type Placeholders,
} from './labels.ts'
import { weightedChoice, type Random } from './random.ts'
import {
  content,
  type DemoCategory,
  type Item,
  type Kind,
  type Model,
  type PictureKinds,
  type Role,
} from './source.ts'
import { placeFactor, type Location } from './location.ts'

type Value = string | number | boolean
type Values = Readonly<Record<string, Value | undefined>>

/** What a maker decides; `makeSubject` adds the rest. */
interface Made {
  /** Where it comes from in the content; `thing` is its French name or model. */
  readonly source: Model | Item | Kind | Role
  readonly thing: string
  readonly specs: Values
  /** Whole F CFA; null where the category allows it. */
  readonly price: number | null
  /** Tested by a phrase's `when`. */
  readonly facts: Values
  readonly fr: Placeholders
  readonly en: Placeholders
  readonly agreement: { readonly feminine: boolean; readonly plural: boolean }
  /** As stored in specs (`Noir`), for the pictures. */
  readonly colour: string | null
}

export interface Subject extends Omit<Made, 'source' | 'specs'> {
  readonly category: string
  readonly specs: Readonly<Record<string, Value>>
  readonly pictures: PictureKinds
  /** Write the brand after the thing: `Imprimante laser Canon`. */
  readonly brandAfter: boolean
}

/** Prices of houses depend on the location. `year` is the calendar year of the demo's now. */
export function makeSubject(
  category: string,
  location: Location,
  year: number,
  choice: Random,
): Subject {
  const make = makers[category]
  if (!make) throw new Error(`no demo category ${category}`)
  const { source, specs, ...made } = make(location, year, choice)
  return {
    ...made,
    category,
    specs: known(specs),
    pictures: { kinds: source.pictures, inside: source.inside ?? null },
    brandAfter: 'brand_after' in source && source.brand_after === true,
  }
}

type Maker = (location: Location, year: number, choice: Random) => Made

const makers: Readonly<Record<string, Maker>> = Object.fromEntries(
  Object.entries(content.categories).map(([slug, demo]) => [slug, makerOf(slug, demo)]),
)

function makerOf(slug: string, demo: DemoCategory): Maker {
  const weight = ({ weight: n }: { weight: number }) => n
  if (demo.models.length > 0) {
    const model = weightedChoice(demo.models, weight)
    return slug === 'mobile-tablet'
      ? (_, __, choice) => phone(demo, model(choice), choice)
      : (_, year, choice) => vehicle(slug, demo, model(choice), year, choice)
  }
  if (demo.kinds.length > 0) {
    const kind = weightedChoice(demo.kinds, weight)
    return (location, year, choice) => property(kind(choice), location, year, choice)
  }
  if (demo.roles.length > 0) return (_, __, choice) => work(slug, demo, choice)
  const item = weightedChoice(demo.items, weight)
  return (_, __, choice) => object(slug, demo, item(choice), choice)
}

/** Whether a model is offered new, and its range of prices. */
function stateOf(model: Model, demo: DemoCategory, choice: Random) {
  const isNew = model.price_new !== null && choice.chance(demo.share_new)
  const [low, high] = (isNew ? model.price_new : model.price_used) ?? model.price_new ?? [0, 0]
  return { isNew, condition: isNew ? 'new' : 'used', low, high }
}

function vehicle(
  category: string,
  demo: DemoCategory,
  model: Model,
  now: number,
  choice: Random,
): Made {
  const { isNew, condition, low, high } = stateOf(model, demo, choice)
  const [first, last] = model.years
  const year = isNew ? choice.whole(now - 1, now) : choice.whole(first, last)
  const age = last === first ? 0.5 : (year - first) / (last - first)
  const price = isNew
    ? choice.between(low, high)
    : (low + (high - low) * age) * choice.between(0.9, 1.12)
  const adjective = choice.pick(demo.colors)
  const car = category === 'vehicles'
  const perYear: [number, number] = car ? [7000, 17_000] : [2500, 7500]
  const step = car ? 1000 : 500
  const driven = isNew
    ? car
      ? choice.whole(0, 50)
      : 0
    : Math.min(380_000, Math.round(((now - year) * choice.between(...perYear)) / step) * step)
  const km = choice.chance(car ? 0.18 : 0.3) ? undefined : driven
  const { type, engine_cc } = model.specs
  const fuel = car
    ? (model.specs.fuel ??
      choice.weigh({ petrol: 0.7, diesel: 0.27, hybrid: 0.025, electric: 0.005 }))
    : undefined
  const transmission = car
    ? (model.specs.transmission ?? choice.weigh({ manual: 0.58, automatic: 0.42 }))
    : undefined
  // Some prices are for a range of models rather than one.
  const name = model.model.replace(' (générique)', '')
  const words = (language: Language) => ({
    brand: model.brand,
    model: name,
    year: `${year}`,
    cc: engine_cc?.toString(),
    km: km === undefined ? undefined : figure(km, language),
  })
  const named = (field: string, value: unknown, language: Language) =>
    label(category, field, value, language)?.toLowerCase()
  return {
    source: model,
    thing: model.model,
    specs: {
      brand: model.brand,
      model: name,
      year,
      condition,
      fuel,
      transmission,
      type,
      engine_cc,
      [car ? 'mileage' : 'mileage_km']: km,
    },
    price: rounded(price, car ? 50_000 : 5000),
    facts: { condition, transmission, type },
    fr: {
      ...words('fr'),
      color: adjective,
      fuel: named('fuel', fuel, 'fr'),
      transmission: named('transmission', transmission, 'fr'),
    },
    en: {
      ...words('en'),
      color_en: englishColour(colourOf(adjective)),
      fuel_en: named('fuel', fuel, 'en'),
      transmission_en: named('transmission', transmission, 'en'),
    },
    agreement: { feminine: true, plural: false },
    colour: colourOf(adjective),
  }
}

const STORAGE = ['64gb', '128gb', '256gb', '512gb']

function phone(demo: DemoCategory, model: Model, choice: Random): Made {
  const category = 'mobile-tablet'
  const { condition, low, high } = stateOf(model, demo, choice)
  const usual = typeof model.specs.storage === 'string' ? STORAGE.indexOf(model.specs.storage) : -1
  const step = usual >= 0 ? choice.pick([-1, 0, 0, 1]) : 0
  const internal_storage =
    usual >= 0 ? STORAGE[Math.min(3, Math.max(0, usual + step))] : model.specs.storage
  const device_type = model.specs.device ?? 'phone'
  const colour = choice.pick(demo.colors)
  const network = model.specs.network ?? choice.weigh({ '4g': 0.8, '5g': 0.2 })
  const { ram, battery, os } = model.specs
  const screen_size = model.specs.screen?.toString()
  const sim =
    device_type === 'phone'
      ? choice.weigh({ 'dual-sim': 0.8, 'single-sim': 0.14, esim: 0.06 })
      : undefined
  const words = (language: Language) => ({
    brand: model.brand,
    model: model.model,
    battery: battery?.toString(),
    storage: label(category, 'internal_storage', internal_storage, language),
    ram: label(category, 'ram', ram, language),
    screen: decimal(screen_size, language),
  })
  const exchange_possible = choice.chance(0.28)
  const francs = choice.between(low, high) * (1 + 0.08 * step)
  return {
    source: model,
    thing: model.model,
    specs: {
      device_type,
      brand: model.brand,
      model: model.model,
      condition,
      internal_storage,
      ram,
      color: colour,
      screen_size,
      battery,
      os,
      sim,
      network,
      exchange_possible,
    },
    price: rounded(francs, francs < 50_000 ? 1000 : 5000),
    facts: { condition, device_type },
    fr: { ...words('fr'), color: colourWord(colour, MASCULINE) },
    en: { ...words('en'), color_en: englishColour(colour) },
    agreement: MASCULINE,
    colour,
  }
}

const MASCULINE = { feminine: false, plural: false }

const decimal = (number: string | undefined, language: Language): string | undefined =>
  language === 'fr' ? number?.replace('.', ',') : number

function property(kind: Kind, location: Location, now: number, choice: Random): Made {
  const { offer_type, property_type, name } = kind
  const built = property_type !== 'land'
  const bedrooms = kind.bedrooms ? choice.whole(...kind.bedrooms) : undefined
  const bathrooms = kind.bathrooms ? choice.whole(...kind.bathrooms) : undefined
  const size_sqm = rounded(choice.between(...kind.size_sqm), kind.size_sqm[0] < 100 ? 1 : 10)
  const condition = built ? choice.weigh({ new: 0.3, used: 0.58, 'to-renovate': 0.12 }) : undefined
  const several = (count = 0) => (count > 1 ? `${count}` : undefined)
  const words = {
    bedrooms: several(bedrooms),
    bathrooms: several(bathrooms),
    size: figure(size_sqm, 'fr'),
  }
  return {
    source: kind,
    thing: name.fr,
    specs: {
      offer_type,
      property_type,
      bedrooms: built ? bedrooms : undefined,
      bathrooms: built ? bathrooms : undefined,
      size_sqm,
      furnished: built ? (kind.furnished ?? choice.chance(0.14)) : undefined,
      year_built: built && choice.chance(0.4) ? choice.whole(1985, now) : undefined,
      condition,
    },
    price: rounded(
      choice.between(...kind.price) * placeFactor(location),
      offer_type === 'rent' ? 2500 : 100_000,
    ),
    facts: { condition, offer_type, property_type },
    fr: { ...words, kind: name.fr },
    en: { ...words, kind_en: name.en },
    agreement: { feminine: kind.feminine, plural: false },
    colour: null,
  }
}

function work(category: string, demo: DemoCategory, choice: Random): Made {
  const role = choice.pick(demo.roles)
  const { fr, fr_lc, en_lc } = role.name
  const jobs = category === 'jobs'
  const ad_kind = jobs ? choice.weigh({ offer: 0.75, seek: 0.25 }) : undefined
  const range = role.price_range
  const paid = range && !choice.chance(demo.share_price_absent)
  const name = jobs ? 'job' : 'service'
  return {
    source: role,
    thing: fr,
    specs: {},
    price: paid ? rounded(choice.between(...range), jobs ? 5000 : 500) : null,
    facts: { ad_kind },
    fr: { [name]: fr, [`${name}_lc`]: fr_lc },
    en: { [`${name}_en`]: en_lc },
    agreement: role,
    colour: null,
  }
}

const COARSE = new Set(['electronics', 'home-garden', 'audio-music'])

function object(category: string, demo: DemoCategory, item: Item, choice: Random): Made {
  const isNew =
    item.price_used === null || (item.price_new !== null && choice.chance(demo.share_new))
  const alive = category === 'animals'
  const fashion = category === 'fashion'
  const condition = alive ? undefined : isNew ? 'new' : 'used'
  const [low, high] = (isNew ? item.price_new : item.price_used) ?? item.price_used ?? [0, 0]
  const maker = item.brands.length > 0 ? choice.pick(item.brands) : undefined
  const brand = maker === undefined || content.no_brands.includes(maker) ? undefined : maker
  const { screen, bluetooth, ...rest } = item.specs
  const type = item.type ?? undefined
  const fits = type !== undefined && !/Pagne|Balle|lot/.test(item.name.fr)
  const sizes = fashion && fits && item.specs.gender !== 'kids' ? content.sizes[type] : undefined
  const size = sizes && choice.weigh(sizes)
  const colour = fashion
    ? choice.pick(Object.keys(content.colours))
    : category === 'home-garden' && /sofa|storage|table-chair|fan|decor/.test(type ?? '')
      ? choice.pick(content.furniture_colours)
      : null
  const isModel =
    (['computers', 'camera-photo'].includes(category) &&
      brand !== undefined &&
      !item.brand_after) ||
    (category === 'games-consoles' && type === 'console')
  const animal = alive && type !== 'feed-accessories'
  const maybe = (shares: { yes: number; no: number; unsaid: number }) =>
    ({ yes: true, no: false, unsaid: undefined })[choice.weigh(shares)]
  const specs: Values = {
    type,
    brand,
    model: isModel ? item.name.fr : undefined,
    condition,
    ...rest,
    screen_size: (screen ?? item.specs.screen_size)?.toString(),
    bluetooth: bluetooth === undefined ? undefined : true,
    size,
    color: colour ?? undefined,
    authentic: fashion ? maybe({ yes: 0.4, no: 0.15, unsaid: 0.45 }) : undefined,
    delivery_possible: category === 'home-garden' ? choice.chance(0.5) : undefined,
    vaccinated: animal ? maybe({ yes: 0.6, no: 0.1, unsaid: 0.3 }) : undefined,
    age_months: animal && choice.chance(0.5) ? choice.whole(2, 60) : undefined,
  }
  const words = (language: Language) => ({
    brand,
    size,
    breed: specs.breed?.toString(),
    material: specs.material?.toString(),
    volume: specs.volume?.toString(),
    processor: specs.processor?.toString(),
    storage_gb: specs.storage_gb?.toString(),
    screen: decimal(specs.screen_size?.toString(), language),
    age: label(category, 'age_range', specs.age_range, language)?.toLowerCase(),
    gender: gender(specs.gender, language),
    ram: label(category, 'ram', specs.ram, language),
    storage: label(category, 'storage', specs.storage, language),
  })
  const isFree = demo.share_free > 0 && choice.chance(demo.share_free)
  return {
    source: item,
    thing: item.name.fr,
    specs,
    price: isFree ? null : roundedIn(category, choice.between(low, high)),
    facts: { condition, type },
    fr: {
      ...words('fr'),
      item: item.name.fr,
      item_lc: item.name.fr_lc,
      color: colour ? colourWord(colour, item) : undefined,
    },
    en: {
      ...words('en'),
      item_en: item.name.en,
      color_en: colour ? englishColour(colour) : undefined,
    },
    agreement: item,
    colour,
  }
}

function roundedIn(category: string, value: number): number {
  if (COARSE.has(category)) return rounded(value, value < 20_000 ? 500 : 2500)
  if (category === 'beauty') return rounded(value, 250)
  return rounded(value, category === 'computers' || category === 'camera-photo' ? 2500 : 500)
}

const rounded = (value: number, step: number): number =>
  Math.max(step, Math.round(value / step) * step)

function known(values: Values): Record<string, Value> {
  const kept: Record<string, Value> = {}
  for (const [name, value] of Object.entries(values)) if (value !== undefined) kept[name] = value
  return kept
}
