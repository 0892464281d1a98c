import {
  colourOf,
  colourWord,
  englishColour,
  figure,
  gender,
  label,
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

export interface Subject {
  readonly category: string
  /** The French name or model. */
  readonly thing: string
  readonly condition: string | null
  readonly specs: Readonly<Record<string, Value>>
  /** Whole F CFA; null where the category allows it. */
  readonly price: number | null
  /** Tested by a phrase's `when`. */
  readonly facts: Readonly<Record<string, Value | undefined>>
  readonly fr: Placeholders
  readonly en: Placeholders
  readonly agreement: { readonly feminine: boolean; readonly plural: boolean }
  /** As stored in specs (`Noir`), for the pictures. */
  readonly colour: string | null
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
  const demo = content.categories[category]
  const make = makers[category]
  if (!demo || !make) throw new Error(`no demo category ${category}`)
  return make(demo, location, year, choice)
}

type MakeSubject = (demo: DemoCategory, location: Location, year: number, choice: Random) => Subject

const makers: Record<string, MakeSubject> = Object.fromEntries(
  Object.entries(content.categories).map(([slug, demo]): [string, MakeSubject] => {
    const weight = ({ weight: n }: { weight: number }) => n
    if (demo.models.length > 0) {
      const model = weightedChoice(demo.models, weight)
      return [
        slug,
        slug === 'mobile-tablet'
          ? (d, _s, _y, c) => phone(d, model(c), c)
          : (d, _s, y, c) => vehicle(slug, d, model(c), y, c),
      ]
    }
    if (demo.kinds.length > 0) {
      const kind = weightedChoice(demo.kinds, weight)
      return [slug, (_d, location, y, c) => property(kind(c), location, y, c)]
    }
    if (demo.roles.length > 0) return [slug, (d, _s, _y, c) => work(slug, d, c.pick(d.roles), c)]
    const item = weightedChoice(demo.items, weight)
    return [slug, (d, _s, _y, c) => object(slug, d, item(c), c)]
  }),
)

function vehicle(
  category: string,
  demo: DemoCategory,
  model: Model,
  now: number,
  choice: Random,
): Subject {
  const isNew = model.price_new !== null && choice.chance(demo.share_new)
  const year = isNew ? choice.whole(now - 1, now) : choice.whole(...model.years)
  const [low, high] = (isNew ? model.price_new : model.price_used) ?? model.price_new ?? [0, 0]
  const age =
    model.years[1] === model.years[0]
      ? 0.5
      : (year - model.years[0]) / (model.years[1] - model.years[0])
  const price = isNew
    ? choice.between(low, high)
    : (low + (high - low) * age) * choice.between(0.9, 1.12)
  const adjective = choice.pick(demo.colors)
  const condition = isNew ? 'new' : 'used'
  const car = category === 'vehicles'
  const perYear: [number, number] = car ? [7000, 17_000] : [2500, 7500]
  const step = car ? 1000 : 500
  const driven = isNew
    ? car
      ? choice.whole(0, 50)
      : 0
    : Math.min(380_000, Math.round(((now - year) * choice.between(...perYear)) / step) * step)
  const km = choice.chance(car ? 0.18 : 0.3) ? undefined : driven
  const fuel = car
    ? (model.specs.fuel ??
      choice.weigh({ petrol: 0.7, diesel: 0.27, hybrid: 0.025, electric: 0.005 }))
    : undefined
  const transmission = car
    ? (model.specs.transmission ?? choice.weigh({ manual: 0.58, automatic: 0.42 }))
    : undefined
  const type = model.specs.type
  // Some prices are for a range of models rather than one.
  const name = model.model.replace(' (générique)', '')
  const specs = known({
    brand: model.brand,
    model: name,
    year,
    condition,
    fuel,
    transmission,
    type,
    engine_cc: model.specs.engine_cc,
    [car ? 'mileage' : 'mileage_km']: km,
  })
  const words = {
    brand: model.brand,
    model: name,
    year: `${year}`,
    cc: model.specs.engine_cc?.toString(),
  }
  return {
    category,
    thing: model.model,
    pictures: picturesOf(model),
    condition,
    specs,
    price: rounded(price, car ? 50_000 : 5000),
    facts: { condition, transmission, type },
    fr: {
      ...words,
      km: km === undefined ? undefined : figure(km, 'fr'),
      color: adjective,
      fuel: label(category, 'fuel', fuel, 'fr')?.toLowerCase(),
      transmission: label(category, 'transmission', transmission, 'fr')?.toLowerCase(),
    },
    en: {
      ...words,
      km: km === undefined ? undefined : figure(km, 'en'),
      color_en: englishColour(colourOf(adjective)),
      fuel_en: label(category, 'fuel', fuel, 'en')?.toLowerCase(),
      transmission_en: label(category, 'transmission', transmission, 'en')?.toLowerCase(),
    },
    agreement: { feminine: true, plural: false },
    colour: colourOf(adjective),
    brandAfter: false,
  }
}

const picturesOf = ({ pictures, inside }: Model | Item | Kind | Role): PictureKinds => ({
  kinds: pictures,
  inside: inside ?? null,
})

const STORAGE = ['64gb', '128gb', '256gb', '512gb']

function phone(demo: DemoCategory, model: Model, choice: Random): Subject {
  const category = 'mobile-tablet'
  const isNew = model.price_new !== null && choice.chance(demo.share_new)
  const condition = isNew ? 'new' : 'used'
  const [low, high] = (isNew ? model.price_new : model.price_used) ?? model.price_new ?? [0, 0]
  const usual = typeof model.specs.storage === 'string' ? STORAGE.indexOf(model.specs.storage) : -1
  const step = usual >= 0 ? choice.pick([-1, 0, 0, 1]) : 0
  const storage = STORAGE[Math.min(3, Math.max(0, usual + step))] ?? model.specs.storage
  const internal_storage = usual >= 0 ? storage : model.specs.storage
  const device_type = model.specs.device ?? 'phone'
  const colour = choice.pick(demo.colors)
  const network = model.specs.network ?? choice.weigh({ '4g': 0.8, '5g': 0.2 })
  const { ram, battery, os } = model.specs
  const screen_size = model.specs.screen?.toString()
  const sim =
    device_type === 'phone'
      ? choice.weigh({ 'dual-sim': 0.8, 'single-sim': 0.14, esim: 0.06 })
      : undefined
  const words = { brand: model.brand, model: model.model, battery: battery?.toString() }
  const of = (language: 'fr' | 'en') => ({
    storage: label(category, 'internal_storage', internal_storage, language),
    ram: label(category, 'ram', ram, language),
    screen: language === 'fr' ? screen_size?.replace('.', ',') : screen_size,
  })
  return {
    category,
    thing: model.model,
    pictures: picturesOf(model),
    condition,
    specs: known({
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
      exchange_possible: choice.chance(0.28),
    }),
    price: price(choice.between(low, high) * (1 + 0.08 * step), (francs) =>
      francs < 50_000 ? 1000 : 5000,
    ),
    facts: { condition, device_type },
    fr: { ...words, ...of('fr'), color: colourWord(colour, { feminine: false, plural: false }) },
    en: { ...words, ...of('en'), color_en: englishColour(colour) },
    agreement: { feminine: false, plural: false },
    colour,
    brandAfter: false,
  }
}

function property(kind: Kind, location: Location, now: number, choice: Random): Subject {
  const category = 'properties'
  const rent = kind.offer_type === 'rent'
  const built = kind.property_type !== 'land'
  const bedrooms = kind.bedrooms ? choice.whole(...kind.bedrooms) : undefined
  const bathrooms = kind.bathrooms ? choice.whole(...kind.bathrooms) : undefined
  const size = rounded(choice.between(...kind.size_sqm), kind.size_sqm[0] < 100 ? 1 : 10)
  const condition = built ? choice.weigh({ new: 0.3, used: 0.58, 'to-renovate': 0.12 }) : undefined
  const words = {
    bedrooms: bedrooms !== undefined && bedrooms > 1 ? `${bedrooms}` : undefined,
    bathrooms: bathrooms !== undefined && bathrooms > 1 ? `${bathrooms}` : undefined,
    size: figure(size, 'fr'),
  }
  return {
    category,
    thing: kind.name.fr,
    pictures: picturesOf(kind),
    condition: condition ?? null,
    specs: known({
      offer_type: kind.offer_type,
      property_type: kind.property_type,
      bedrooms: built ? bedrooms : undefined,
      bathrooms: built ? bathrooms : undefined,
      size_sqm: size,
      furnished: built ? (kind.furnished ?? choice.chance(0.14)) : undefined,
      year_built: built && choice.chance(0.4) ? choice.whole(1985, now) : undefined,
      condition,
    }),
    price: rounded(choice.between(...kind.price) * placeFactor(location), rent ? 2500 : 100_000),
    facts: { condition, offer_type: kind.offer_type, property_type: kind.property_type },
    fr: { ...words, kind: kind.name.fr },
    en: { ...words, kind_en: kind.name.en },
    agreement: { feminine: kind.feminine, plural: false },
    colour: null,
    brandAfter: false,
  }
}

function work(category: string, demo: DemoCategory, role: Role, choice: Random): Subject {
  const ad_kind = category === 'jobs' ? choice.weigh({ offer: 0.75, seek: 0.25 }) : undefined
  const paid = role.price_range && !choice.chance(demo.share_price_absent)
  const [name, lower] = category === 'jobs' ? ['job', 'job_lc'] : ['service', 'service_lc']
  return {
    category,
    thing: role.name.fr,
    pictures: picturesOf(role),
    condition: null,
    specs: {},
    price:
      paid && role.price_range
        ? rounded(choice.between(...role.price_range), category === 'jobs' ? 5000 : 500)
        : null,
    facts: { ad_kind },
    fr: { [name]: role.name.fr, [lower]: role.name.fr_lc },
    en: { [`${name}_en`]: role.name.en_lc },
    agreement: { feminine: role.feminine, plural: role.plural },
    colour: null,
    brandAfter: false,
  }
}

const COARSE = new Set(['electronics', 'home-garden', 'audio-music'])

function object(category: string, demo: DemoCategory, item: Item, choice: Random): Subject {
  const isNew =
    item.price_used === null || (item.price_new !== null && choice.chance(demo.share_new))
  const alive = category === 'animals'
  const condition = alive ? undefined : isNew ? 'new' : 'used'
  const [low, high] = (isNew ? item.price_new : item.price_used) ?? item.price_used ?? [0, 0]
  const maker = item.brands.length > 0 ? choice.pick(item.brands) : undefined
  const brand = maker === undefined || content.no_brands.includes(maker) ? undefined : maker
  const { screen, bluetooth, ...rest } = item.specs
  const type = item.type ?? undefined
  const fits = type !== undefined && !/Pagne|Balle|lot/.test(item.name.fr)
  const size =
    category === 'fashion' && fits && item.specs.gender !== 'kids'
      ? sizeOf(type, choice)
      : undefined
  const colour =
    category === 'fashion'
      ? choice.pick(Object.keys(content.colours))
      : category === 'home-garden' && /sofa|storage|table-chair|fan|decor/.test(type ?? '')
        ? choice.pick(content.furniture_colours)
        : null
  const named =
    ['computers', 'camera-photo'].includes(category) && brand !== undefined && !item.brand_after
      ? item.name.fr
      : category === 'games-consoles' && type === 'console'
        ? item.name.fr
        : undefined
  const specs = known({
    type,
    brand,
    model: named,
    condition,
    ...rest,
    screen_size: (screen ?? item.specs.screen_size)?.toString(),
    bluetooth: bluetooth === undefined ? undefined : true,
    size,
    color: colour ?? undefined,
    authentic:
      category === 'fashion'
        ? { yes: true, no: false, unsaid: undefined }[
            choice.weigh({ yes: 0.4, no: 0.15, unsaid: 0.45 })
          ]
        : undefined,
    delivery_possible: category === 'home-garden' ? choice.chance(0.5) : undefined,
    vaccinated:
      alive && type !== 'feed-accessories'
        ? { yes: true, no: false, unsaid: undefined }[
            choice.weigh({ yes: 0.6, no: 0.1, unsaid: 0.3 })
          ]
        : undefined,
    age_months:
      alive && type !== 'feed-accessories' && choice.chance(0.5) ? choice.whole(2, 60) : undefined,
  })
  const of = (language: 'fr' | 'en') => ({
    brand,
    size,
    breed: specs.breed?.toString(),
    material: specs.material?.toString(),
    volume: specs.volume?.toString(),
    processor: specs.processor?.toString(),
    storage_gb: specs.storage_gb?.toString(),
    screen:
      language === 'fr'
        ? specs.screen_size?.toString().replace('.', ',')
        : specs.screen_size?.toString(),
    age: label(category, 'age_range', specs.age_range, language)?.toLowerCase(),
    gender: gender(specs.gender, language),
    ram: label(category, 'ram', specs.ram, language),
    storage: label(category, 'storage', specs.storage, language),
  })
  return {
    category,
    thing: item.name.fr,
    pictures: picturesOf(item),
    condition: condition ?? null,
    specs,
    price:
      demo.share_free > 0 && choice.chance(demo.share_free)
        ? null
        : price(choice.between(low, high), stepOf(category)),
    facts: { condition, type },
    fr: {
      ...of('fr'),
      item: item.name.fr,
      item_lc: item.name.fr_lc,
      color: colour ? colourWord(colour, item) : undefined,
    },
    en: {
      ...of('en'),
      item_en: item.name.en,
      color_en: colour ? englishColour(colour) : undefined,
    },
    agreement: { feminine: item.feminine, plural: item.plural },
    colour,
    brandAfter: item.brand_after ?? false,
  }
}

function sizeOf(type: string, choice: Random): string | undefined {
  const sizes = content.sizes[type]
  return sizes && choice.weigh(sizes)
}

const stepOf = (category: string) => (value: number) =>
  COARSE.has(category)
    ? value < 20_000
      ? 500
      : 2500
    : category === 'beauty'
      ? 250
      : category === 'computers' || category === 'camera-photo'
        ? 2500
        : 500
const price = (value: number, step: (value: number) => number): number =>
  rounded(value, step(value))
const rounded = (value: number, step: number): number =>
  Math.max(step, Math.round(value / step) * step)

function known(values: Record<string, Value | undefined>): Record<string, Value> {
  const kept: Record<string, Value> = {}
  for (const [name, value] of Object.entries(values)) if (value !== undefined) kept[name] = value
  return kept
}
