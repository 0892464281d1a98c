import { expect, test } from 'vitest'
import { type DemoListing, marketOf } from './market.ts'
import { things } from './pictures.ts'

const market = marketOf({ listings: 5000, users: 2000 })
const listings = [...market.listings()]

type Claim = readonly [words: RegExp, holds: (listing: DemoListing) => boolean]
/** A few listings state no specs: what their texts say cannot be compared. */
const isBare = ({ specs }: DemoListing) => Object.keys(specs).length === 0
const is = (name: string, wanted: unknown) => (one: DemoListing) =>
  isBare(one) || one.specs[name] === wanted
const textOf = ({ title, description }: DemoListing) => `${title} ${description}`

/** What a text says, and what the listing must then be. */
const claims: readonly Claim[] = [
  [/\bneu(?:f|ve)s?\b(?! installé)/i, (one) => is('condition', 'new')(one) || presque(one)],
  [
    /occasion|très peu utilisé|traces? d’usage|Jamais réparé/i,
    ({ specs }) => specs['condition'] !== 'new',
  ],
  [/à débattre|Discutable|Faites une offre|négociable\./i, (one) => one.negotiable || fixed(one)],
  [/Prix fixe|non négociable|[Dd]ernier prix/, (one) => !one.negotiable],
  [/double SIM/i, is('sim', 'dual-sim')],
  [/\b4G\b/, (one) => one.category !== 'mobile-tablet' || is('network', '4g')(one)],
  [/à louer|[Ll]ocation (?!possible|de)|caution/i, (one) => forRent(one)],
  [/PUH|Titre foncier/i, is('offer_type', 'sale')],
  [/Garage|garage/, is('property_type', 'house')],
  [/vaccin/i, is('vaccinated', true)],
  [/Windows/, is('os', 'windows')],
  [/deux manettes/, is('controllers', 2)],
  [/Pas de livraison/, ({ specs }) => specs['delivery_possible'] !== true],
  [/Livraison offerte/i, is('delivery_possible', true)],
  [/climatisée?s?\b|Climatiseurs/i, ({ title }) => !/inachevée/i.test(title)],
  [
    /[Kk]ick|Vidange faite chaque mois|moteur jamais ouvert/i,
    (one) => isBare(one) || one.specs['engine_cc'] !== undefined,
  ],
]
const presque = (one: DemoListing) =>
  /presque neu|batterie neuve|chaîne neuf|acheté\(?e?\)? neuve|achetée neuve/i.test(textOf(one))
const fixed = ({ description }: DemoListing) => /non négociable/i.test(description)
const forRent = (one: DemoListing) => one.category !== 'properties' || is('offer_type', 'rent')(one)

test.for(claims)('[S3.01] a text that says %s is of such a listing', ([words, holds]) => {
  const saying = listings.filter((one) => words.test(textOf(one)))
  expect(saying.length).toBeGreaterThan(0)
  expect(
    saying
      .filter((one) => !holds(one))
      .map(({ title, description, specs }) => [title, description, specs]),
  ).toEqual([])
})

/** The names of a colour in specs, as texts say it. */
const COLOURS: Readonly<Record<string, RegExp>> = {
  Noir: /noire?/,
  Blanc: /blanc(?:he)?/,
  Bleu: /bleue?/,
  Rouge: /rouge/,
  Vert: /verte?/,
  Gris: /grise?/,
  Or: /dorée?/,
  Argent: /argentée?/,
  Rose: /rose/,
  Violet: /violet(?:te)?/,
  Jaune: /jaune/,
  Marron: /marron/,
  Beige: /beige/,
}

test('[S3.01] numbers and colours of a text are those of the specs', () => {
  const wrong: unknown[] = []
  for (const one of listings) {
    const { title, specs } = one
    const text = textOf(one).toLowerCase()
    const { year, bedrooms, size_sqm: size, color } = specs
    const [, years] = /\b((?:19|20)\d\d)\b/.exec(title) ?? []
    if (year !== undefined && years !== undefined && years !== `${year}`) wrong.push([title, year])
    if (isBare(one)) continue
    const [, rooms] = /(\d+) chambres/.exec(text) ?? []
    if (rooms !== undefined && rooms !== `${bedrooms}`) wrong.push([text, bedrooms])
    const [, area] = /([\d\u202f]+) m²/.exec(text) ?? []
    if (area !== undefined && area.replaceAll('\u202f', '') !== `${size}`) wrong.push([text, size])
    const [, stated] = /couleur (\p{L}+)/u.exec(text) ?? []
    const own = new RegExp(`^${COLOURS[`${color}`]?.source}s?$`)
    if (color !== undefined && stated !== undefined && !own.test(stated)) wrong.push([text, color])
  }
  expect(wrong).toEqual([])
})

test('[S1.05] the market is French and speaks to everybody', () => {
  const all = listings.map(textOf).join('\n')
  expect(all.match(/\b(?:for sale|brand new|selling my|papers|delivery)\b/gi)).toBeNull()
  // No "de" or "le" before a vowel, and no straight apostrophe but in texts that test escaping.
  expect(all.match(/\b(?:de|le|la|je|que) (?:[aeiouâéèêîœ]|h[eéô])\p{L}+/giu)).toBeNull()
  expect(
    all.match(/\b(?:satisfait|étudiant|sérieux et motivé|prêt à être contacté)\b/gi),
  ).toBeNull()
})

/** How shops of a category are called and describe themselves. */
const TRADES: Readonly<Record<string, RegExp>> = {
  'mobile-tablet': /du Téléphone$|^Vente de téléphones/m,
  fashion: /du Pagne$|^Pagnes, Faso|^Couture et retouches/m,
  motos: /de la Moto$|^Motos neuves/m,
  properties: /^Location et vente/m,
  beauty: /de la Beauté$|^Produits naturels/m,
  'home-garden': /du Meuble$|^Meubles et électro/m,
  electronics: /de l’Électronique$|^Appareils neufs/m,
  animals: /de l’Élevage$|^Élevage familial/m,
  computers: /de l’Ordinateur$|^Ordinateurs révisés/m,
  babies: /de l’Enfant$|^Vêtements et matériel pour enfants/m,
  'audio-music': /du Son$|^Matériel de sonorisation/m,
  vehicles: /de l’Auto$|^Véhicules d’occasion/m,
  services: /^Travail sérieux/m,
  sports: /du Sport$|^Vélos et matériel/m,
  'camera-photo': /de la Photo$|^Appareils photo/m,
  'games-consoles': /du Jeu$|^Consoles, manettes/m,
  jobs: /^Petites offres/m,
  other: /^Machines et outils/m,
}

test('[S3.17] a shop’s bio and name belong to what it mostly sells', () => {
  const sold = Map.groupBy(listings, ({ seller }) => seller)
  const shops = market.people.filter(({ shop_name: shop, n }) => shop !== null && n > 2)
  expect(shops.length).toBeGreaterThan(100)
  const foreign = shops.flatMap((shop) => {
    const own = sold.get(shop) ?? []
    const shares = Object.entries(TRADES).map(([slug, words]) => ({
      slug,
      says: words.test(`${shop.shop_name}\n${shop.bio}`),
      count: own.filter(({ category }) => category === slug).length,
    }))
    const most = Math.max(...shares.map(({ count }) => count))
    return shares
      .filter(({ says, count }) => says && count < most)
      .map(({ slug, count }) => [shop.shop_name, shop.bio, slug, count, most])
  })
  expect(foreign).toEqual([])
})

const SHOWN = 40
const newest = (a: DemoListing, b: DemoListing) => (a.posted ?? 0) - (b.posted ?? 0)
/** The orders of [API 8.2] that do not depend on who asks. */
const orders: readonly ((a: DemoListing, b: DemoListing) => number)[] = [
  newest,
  (a, b) => newest(b, a),
  (a, b) => (a.price ?? Infinity) - (b.price ?? Infinity) || (a.id < b.id ? -1 : 1),
  (a, b) => (b.price ?? 0) - (a.price ?? 0) || (a.id < b.id ? 1 : -1),
  (a, b) => b.views - a.views || (a.id < b.id ? 1 : -1),
  (a, b) => Number(b.featured) - Number(a.featured) || newest(a, b),
]

test('[S2.02] no neighbours among the first forty of a list show the same cover', () => {
  const open = listings.filter(({ status }) => status === 'active' || status === 'reserved')
  const parts = [
    open,
    ...Map.groupBy(open, ({ category }) => category).values(),
    ...Map.groupBy(open, ({ region }) => region).values(),
    ...Map.groupBy(open, ({ town }) => town).values(),
  ]
  expect(parts.length).toBeGreaterThan(50)
  // In a grid of two columns the next card but one is below.
  const alike = parts.flatMap((group) =>
    orders.flatMap((order) =>
      group
        .toSorted(order)
        .slice(0, SHOWN)
        .filter(({ photos: [cover] }, at, list) =>
          [1, 2].some((far) => cover && cover === list[at - far]?.photos[0]),
        )
        .map(({ title, photos: [cover] }) => [title, cover]),
    ),
  )
  expect(alike).toEqual([])
})

const coloursOf = new Map(
  [...Map.groupBy(things, ({ kind }) => kind)].map(([kind, all]) => [
    kind,
    new Set(all.map(({ colour }) => colour)),
  ]),
)
/** A "carte grise" is the vehicle's papers. */
const coloursIn = (text: string): readonly string[] =>
  Object.entries(COLOURS)
    .filter(([, words]) =>
      new RegExp(`(?<!\\p{L})${words.source}s?(?!\\p{L})`, 'iu').test(
        text.replaceAll(/carte grise/gi, ''),
      ),
    )
    .map(([colour]) => colour)

test('[S1.06] a listing shows one thing first, in the colour that it states, and no picture twice', () => {
  const thingOf = new Map(
    things.flatMap((thing) =>
      thing.photos.map(({ file }) => [file.replace('.webp', ''), thing] as const),
    ),
  )
  for (const { title, description, specs, photos, category } of listings) {
    const shown = photos.map((name) => thingOf.get(name.replace(/\/\d$/, '')))
    const [first] = shown
    expect(new Set(photos).size).toBe(photos.length)
    if (first === undefined) continue
    expect([title, specs['color'] ?? first.colour]).toEqual([title, first.colour])
    const named = coloursIn(`${title} ${description}`).filter((colour) =>
      coloursOf.get(first.kind)?.has(colour),
    )
    expect([title, named.length > 1 ? [] : named]).toEqual([
      title,
      named.length === 1 ? [first.colour] : [],
    ])
    // Later photos of a house show its rooms.
    const others = shown.filter((thing) => thing !== first)
    expect([title, others.length === 0 || category === 'properties']).toEqual([title, true])
  }
})
