import * as v from 'valibot'
import { APP_NAME } from '#schema/app'
import { categoryOf } from '#schema/catalogue'
import { type ListingCard, listingCard, type ListingDetail } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import type { Shop } from '#schema/wire/shop'
import { filled } from '../../route/index.ts'
import texts from './texts.json' with { type: 'json' }

export type Head = Readonly<{
  title: string
  description: string
  /** Relative to the public address, with the query parameters that matter. */
  canonical: string
  type: 'website' | 'product' | 'profile'
  /** Relative to the public address; px. */
  image: { readonly path: string; readonly width: number; readonly height: number } | null
  /** `noindex` */
  hidden: boolean
  /** Without @context; URLs are absolute. */
  data: readonly Readonly<Record<string, unknown>>[]
}>

export const pageOfCards = v.object({
  results: v.array(listingCard),
  count: v.optional(v.number()),
  count_is_exact: v.optional(v.boolean()),
  next: v.optional(v.nullable(v.string())),
})

const translated = (
  name: keyof typeof texts,
  language: Language,
  values: Readonly<Record<string, string>> = {},
) => filled(texts[name][language], { app: APP_NAME, ...values })

const LOGO = { path: '/icon-512.png', width: 512, height: 512 }
const PLAIN = { type: 'website', image: LOGO, hidden: false, data: [] } as const
const CONDITIONS: Record<string, string> = {
  new: 'https://schema.org/NewCondition',
  used: 'https://schema.org/UsedCondition',
}

function money(price: number | null, language: Language) {
  return price === null
    ? translated('price', language)
    : `${new Intl.NumberFormat(language).format(price)}\u00a0${language === 'fr' ? 'F\u00a0CFA' : 'CFA'}`
}

function short(text: string, most: number) {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  if (plain.length <= most) return plain
  return `${plain.slice(0, most - 1).replace(/\s+\S*$/, '')}…`
}

export function homeHead(cards: readonly ListingCard[], language: Language, root: string): Head {
  return {
    title: translated('home.title', language),
    description: translated('home.description', language),
    canonical: '/',
    ...PLAIN,
    data: [
      {
        '@type': 'WebSite',
        name: APP_NAME,
        url: `${root}/`,
        inLanguage: ['fr', 'en'],
        potentialAction: {
          '@type': 'SearchAction',
          target: `${root}/listings?search={search_term_string}`,
          'query-input': 'required name=search_term_string',
        },
      },
      itemList(cards, root),
    ],
  }
}

/** Searches and filters are hidden from search engines. */
export function browseHead(
  cards: readonly ListingCard[],
  query: URLSearchParams,
  language: Language,
  root: string,
): Head {
  const category = categoryOf(query.get('category') ?? '')
  const search = query.get('search') ?? query.get('q')
  const name = category?.names[language] ?? translated('browse.all', language)
  const title = search ? translated('browse.search', language, { search: short(search, 60) }) : name
  const examples = cards
    .slice(0, 3)
    .map((card) => card.title)
    .join(', ')
  return {
    title: `${title} – ${APP_NAME}`,
    description: short(translated('browse.description', language, { name, examples }), 160),
    canonical: category ? `/listings?category=${category.slug}` : '/listings',
    type: 'website',
    image: photo(cards[0]) ?? LOGO,
    hidden: [...query.keys()].some((key) => key !== 'category'),
    data: [itemList(cards, root)],
  }
}

export function listingHead(listing: ListingDetail, language: Language, root: string): Head {
  const place = [listing.neighbourhood_name, listing.town_name ?? listing.region_name]
    .filter(Boolean)
    .join(', ')
  const url = `${root}/listings/${listing.id}`
  const sold = listing.status === 'sold'
  const brand = listing.specs['brand']
  const offer = {
    '@type': 'Offer',
    url,
    ...(listing.price !== null && { price: listing.price }),
    priceCurrency: 'XOF',
    availability: sold ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
    itemCondition: CONDITIONS[listing.condition ?? ''],
    seller: {
      '@type': 'Organization',
      name: listing.seller.shop_name ?? listing.seller.username,
      ...(listing.seller.slug !== null && { url: `${root}/shop/${listing.seller.slug}` }),
    },
    areaServed: place,
  }
  return {
    title: `${listing.title} – ${money(listing.price, language)}`,
    description: short(
      [place, sold ? translated('sold', language) : null, listing.description]
        .filter(Boolean)
        .join(' · '),
      160,
    ),
    canonical: `/listings/${listing.id}`,
    type: 'product',
    image: photo(listing) ?? LOGO,
    hidden: listing.status !== 'active' && listing.status !== 'reserved',
    data: [
      {
        '@type': 'Product',
        name: listing.title,
        description: short(listing.description, 500),
        url,
        image: listing.images.map((image) => `${root}${image.base}/640.jpg`),
        category: listing.category.name,
        ...(typeof brand === 'string' && { brand: { '@type': 'Brand', name: brand } }),
        offers: offer,
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { name: APP_NAME, item: `${root}/` },
          {
            name: listing.category.name,
            item: `${root}/listings?category=${listing.category.slug}`,
          },
          { name: listing.title, item: url },
        ].map(numbered),
      },
    ],
  }
}

export function shopHead(
  seller: Shop,
  cards: readonly ListingCard[],
  language: Language,
  root: string,
): Head {
  const name = seller.shop_name ?? seller.username
  const url = `${root}/shop/${seller.slug ?? seller.id}`
  const { average, count } = seller.rating
  return {
    title: `${name} – ${APP_NAME}`,
    description: short(seller.bio || translated('shop.description', language, { name }), 160),
    canonical: `/shop/${seller.slug ?? seller.id}`,
    type: 'profile',
    image:
      seller.avatar === null
        ? (photo(cards[0]) ?? LOGO)
        : { path: seller.avatar, width: 256, height: 256 },
    hidden: false,
    data: [
      {
        '@type': 'Store',
        name,
        url,
        description: seller.bio,
        ...(average !== null && {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: average,
            reviewCount: count,
          },
        }),
        makesOffer: cards.slice(0, 10).map((card) => ({
          '@type': 'Offer',
          itemOffered: {
            '@type': 'Product',
            name: card.title,
            url: `${root}/listings/${card.id}`,
          },
        })),
      },
    ],
  }
}

export function missingHead(what: 'listing' | 'shop', language: Language, path: string): Head {
  return {
    title: `${translated(`missing.${what}`, language)} – ${APP_NAME}`,
    description: translated('missing.description', language),
    canonical: path,
    ...PLAIN,
    hidden: true,
  }
}

export function laterHead(language: Language, path: string): Head {
  return {
    title: APP_NAME,
    description: translated('later.description', language),
    canonical: path,
    ...PLAIN,
  }
}

const numbered = (item: object, at: number) => ({
  '@type': 'ListItem',
  position: at + 1,
  ...item,
})

const itemList = (cards: readonly ListingCard[], root: string) => ({
  '@type': 'ItemList',
  itemListElement: cards
    .map(({ id, title }) => ({ name: title, url: `${root}/listings/${id}` }))
    .map(numbered),
})

/** Every messenger reads JPEG. */
function photo(listing: Pick<ListingCard, 'images'> | undefined): Head['image'] {
  const image = listing?.images[0]
  if (!image) return null
  const width = Math.min(640, image.width)
  return {
    path: `${image.base}/640.jpg`,
    width,
    height: Math.round((image.height * width) / image.width),
  }
}
