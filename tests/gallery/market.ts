import type { Image } from '#schema/wire/shapes'
import manifest from '../../server/demo/pictures/manifest.json' with { type: 'json' }
import { type Asked, card, offline, refused, type Server } from '../engine/reader.ts'

/** Bodies of a small market, as the server sends them. */

const HOUR_MS = 3_600_000
/** Minutes, so that relative ages are the same within one check. */
const NOW = Math.floor(Date.now() / 60_000) * 60_000
const ago = (hours: number): string => new Date(NOW - hours * HOUR_MS).toISOString()

const goods = [
  ['underbone', 'Yamaha Crypton 2022, papiers au complet', 595_000, 'motos'],
  ['phone', 'Samsung Galaxy A15 128 Go', 85_000, 'mobile-tablet'],
  ['sedan', 'Toyota Corolla 2008 climatisée', 3_250_000, 'vehicles'],
  ['villa', 'Villa 3 chambres salon à Karpala', 125_000, 'properties'],
  ['television', 'Télévision LG 43 pouces', 140_000, 'electronics'],
  ['sofa', 'Salon 7 places, bois de teck', 320_000, 'home-garden'],
  ['sheep', 'Bélier de race Bali-Bali', 90_000, 'animals'],
  ['boubou', 'Grand boubou brodé, taille L', 45_000, 'fashion'],
] as const

const LONG =
  'Transformateurs-stabilisateurs électromécaniques industriels Anticonstitutionnellement-garantis'

function photos(kind: string): readonly Image[] {
  const thing = manifest.things.find((one) => one.kind === kind) ?? manifest.things[0]
  return (thing?.photos ?? []).map(({ file, width, height, thumbhash, color }, position) => ({
    id: file.replace('.webp', ''),
    position,
    width,
    height,
    url: `/media/${file}/${width}.webp`,
    base: `/media/${file}`,
    widths: [],
    formats: [],
    avif_widths: [],
    thumbhash,
    color,
  }))
}

const seller = {
  id: 'U2',
  username: 'awa.traore',
  shop_name: 'Chez Awa',
  slug: 'chez-awa',
  avatar: null,
  verified_seller: true,
  deleted: false,
}
const long = { ...seller, username: 'a'.repeat(30), shop_name: LONG.slice(0, 60) }
const selling = {
  followers_count: 12,
  items_sold: 34,
  years_on_platform: 2,
  date_joined: ago(24 * 700),
  typical_response_hours: 1,
  listings_count: 8,
  following_count: 1,
}

interface Wording {
  readonly isLong: boolean
  /** The last message is one. */
  readonly hasPhoto?: boolean
  /** L0 is on sale by `me`. */
  readonly isOwn?: boolean
}

function listing(index: number, { isLong }: Wording, more: object = {}): Record<string, unknown> {
  const [kind, title, price, slug] = goods[index % goods.length] ?? goods[0]
  const images = photos(kind)
  return card(`L${index}`, 0, {
    title: isLong ? LONG : title,
    price: isLong ? 999_999_999 : price,
    category: { id: slug, slug, name: slug },
    negotiable: index % 2 === 0,
    images: images.slice(0, 1),
    images_count: images.length,
    seller: isLong ? long : seller,
    neighbourhood_name: isLong ? LONG.slice(0, 60) : 'Karpala',
    is_featured: index === 1,
    is_reserved: index === 2,
    status: index === 2 ? 'reserved' : 'active',
    posted_at: ago(index * 7),
    updated_at: ago(index * 7),
    views_total: 120,
    views_today: 9,
    ...more,
  })
}

function detail(id: string, wording: Wording): Record<string, unknown> {
  const index = Number(id.slice(1)) || 0
  const [kind] = goods[index % goods.length] ?? goods[0]
  return listing(index, wording, {
    description: wording.isLong ? `${LONG} `.repeat(12) : 'Très bon état.\nPremière main.',
    specs: { brand: 'Yamaha', model: 'Crypton', year: 2022, mileage_km: 14_000 },
    images: photos(kind),
    seller: {
      ...(wording.isLong ? long : seller),
      ...selling,
      ...(wording.isOwn && { id: 'U1', username: user.username }),
      is_following: false,
    },
    is_owner: wording.isOwn === true,
    contact_phone: null,
    share_url: 'https://example.com/listings/L0',
    favorites_count: 3,
    created_at: ago(index * 7),
    version: 1,
    client_id: null,
    review_reason: null,
    expires_at: ago(-24 * 40),
    featured_until: null,
    sold_at: null,
    conversation_id: 'C0',
  })
}

const user = {
  id: 'U1',
  username: 'issa.ouedraogo',
  email: 'issa@example.com',
  email_verified: true,
  phone: '+22670123456',
  avatar: null,
  shop_name: null,
  slug: 'issa-ouedraogo',
  bio: 'Je vends ce que je n’utilise plus.',
  ...selling,
  verified_seller: false,
  is_moderator: false,
  language: 'fr',
  counters: { unread_messages: 1, unread_conversations: 1, unread_notifications: 2 },
  updated_at: ago(1),
}

const [attachment] = photos('underbone').map((photo) => ({ ...photo, type: 'image' }))

const message = (sequence: number, content: string, from: 'U1' | 'U2') => ({
  id: `M${sequence}`,
  conversation: 'C0',
  seq: sequence,
  client_id: null,
  content,
  sender_username: from === 'U1' ? user.username : seller.username,
  sender_id: from,
  attachment: null,
  created_at: ago(30 - sequence),
})

const thread = ({ isLong, hasPhoto = false }: Wording) => [
  message(1, 'Bonjour, est-ce toujours disponible ?', 'U1'),
  message(2, isLong ? LONG.replaceAll(' ', '-').repeat(4) : 'Oui, toujours.', 'U2'),
  message(3, 'Votre dernier prix ?', 'U1'),
  hasPhoto ? { ...message(4, '', 'U2'), attachment } : message(4, '550 000, pas moins.', 'U2'),
]

const conversation = (index: number, wording: Wording) => ({
  id: `C${index}`,
  listing: {
    id: `L${index}`,
    title: wording.isLong ? LONG : goods[index % goods.length]?.[1],
    price: goods[index % goods.length]?.[2],
    currency: 'XOF',
    image: photos(goods[index % goods.length]?.[0] ?? '')[0] ?? null,
    status: 'active',
    seller_id: 'U2',
  },
  participants: [wording.isLong ? long : seller, { ...seller, id: 'U1', username: user.username }],
  unread_count: index === 0 ? 1 : 0,
  last_message: index === 0 ? (thread(wording).at(-1) ?? null) : null,
  last_seq: 4,
  my_read_until: index === 0 ? 3 : 4,
  peer_read_until: 3,
  can_send: true,
  cannot_send_reason: null,
  created_at: ago(40 + index),
  updated_at: ago(2 + index),
})

const notice = (index: number, wording: Wording) => ({
  id: `N${index}`,
  event: 'admin.announcement',
  event_id: `E${index}`,
  ts: ago(index * 5),
  title: wording.isLong ? LONG : 'Bienvenue au marché',
  message: wording.isLong ? `${LONG} `.repeat(3) : 'Rencontrez-vous dans un lieu fréquenté.',
  conversation_id: null,
  listing_id: null,
  url: null,
  from_user: null,
  severity: 'info',
  icon: null,
  image: null,
  tag: `announcement-${index}`,
  meta: { count: 1 },
  read: index > 1,
})

const review = (index: number, wording: Wording) => ({
  id: `R${index}`,
  seller_id: 'U2',
  reviewer: { ...seller, id: `U${index + 5}`, shop_name: null, slug: null },
  rating: 5 - (index % 3),
  comment: wording.isLong ? `${LONG} `.repeat(3) : 'Sérieuse et ponctuelle.',
  created_at: ago(24 * (index + 1)),
  updated_at: ago(24 * (index + 1)),
})

const channels = { push: true, email: false, in_app: true }
const many = (count: number) => [...Array(count).keys()]
const facet = (value: string, label: string, count: number) => ({ value, label, count })

/** `rows`: the length of each list. */
function bodyOf({ name, params }: Asked, rows: number, wording: Wording): unknown {
  const page = (results: readonly unknown[]) => ({ count: results.length, next: null, results })
  const listings = many(rows).map((index) => listing(index, wording))
  switch (name) {
    case 'listing.browse':
    case 'listing.recommend':
    case 'listing.similar':
    case 'shop.listings':
      return page(listings)
    case 'listing.facets':
      return {
        count: rows,
        categories: [facet('mobile-tablet', 'Téléphones', rows)],
        regions: [facet('kadiogo', 'Kadiogo', rows)],
        towns: [facet('ouagadougou', 'Ouagadougou', rows)],
        conditions: [facet('used', 'Occasion', rows)],
        price: { min: 45_000, max: 3_250_000, buckets: [] },
        specs: {},
      }
    case 'listing.read':
    case 'listing.view':
      return detail(params['id'] ?? 'L0', wording)
    case 'listing.mine':
      return {
        ...page(
          many(rows).map((index) => ({
            ...listing(index, wording, { is_owner: true, seller: { ...seller, id: 'U1' } }),
            contacts_total: 2,
            unread_messages: 1,
            favorites_total: 3,
            client_id: null,
            version: 1,
            expires_at: ago(-24 * 20),
            review_reason: null,
          })),
        ),
        totals: {
          all: rows,
          active: rows,
          archived: 0,
          pending: 0,
          sold: 0,
          views_total: 1200,
          views_today: 9,
          contacts_total: 4,
        },
      }
    case 'favourite.list':
      return {
        ...page(
          many(rows).map((index) => ({
            id: `L${index}`,
            listing_id: `L${index}`,
            created_at: ago(index),
          })),
        ),
        cursor: 'c1',
      }
    case 'conversation.list':
      return {
        ...page(many(rows).map((index) => conversation(index, wording))),
        unread_total: rows === 0 ? 0 : 1,
        cursor: 'c1',
      }
    case 'conversation.read':
      return conversation(0, wording)
    case 'conversation.init':
      return {
        conversation: conversation(0, wording),
        messages: { next: null, results: thread(wording).toReversed() },
        listing: null,
        quick_messages: [],
      }
    case 'message.list':
      return {
        next: null,
        results: thread(wording).toReversed(),
        last_seq: 4,
        my_read_until: 3,
        peer_read_until: 3,
      }
    case 'notification.list':
      return {
        ...page(many(rows).map((index) => notice(index, wording))),
        unread_count: rows === 0 ? 0 : 2,
        cursor: 'c1',
      }
    case 'notification.readPreferences':
      return {
        messages: channels,
        announcements: channels,
        system: channels,
        quiet_hours: {
          enabled: false,
          start: '22:00',
          end: '06:00',
          timezone: 'Africa/Ouagadougou',
        },
      }
    case 'account.me':
      return user
    case 'shop.read':
      return {
        ...(wording.isLong ? long : seller),
        ...selling,
        bio: wording.isLong ? LONG : 'Motos et pièces, papiers au complet.',
        rating: { average: 4.6, count: 12 },
        is_following: false,
        is_me: false,
        is_blocked: false,
      }
    case 'review.list':
      return page(many(rows).map((index) => review(index, wording)))
    case 'review.aggregate':
      return {
        seller_id: 'U2',
        average: rows === 0 ? null : 4.6,
        count: rows,
        distribution: { '1': 0, '2': 0, '3': 1, '4': 2, '5': rows },
        my_review: null,
        can_review: false,
        cannot_review_reason: 'no_exchange',
      }
    case 'search.list':
      return page(
        many(Math.min(rows, 3)).map((index) => ({
          id: `S${index}`,
          name: wording.isLong ? LONG.slice(0, 60) : 'Motos à Ouagadougou',
          params: { category: 'motos' },
          alerts: 'daily',
          new_count: index,
          created_at: ago(90),
          last_run_at: null,
        })),
      )
    default:
      return null
  }
}

function market(rows: number, wording: Wording = { isLong: false }): Server {
  return (asked) => {
    const body = bodyOf(asked, rows, wording)
    return body === null ? refused(404, 'not_found') : { body }
  }
}

export const full = market(8)
export const own = market(8, { isLong: false, isOwn: true })
/** `own`, changed on another device. */
export const changedElsewhere = {
  ...detail('L0', { isLong: false, isOwn: true }),
  price: 550_000,
  version: 2,
}
export const withPhoto = market(8, { isLong: false, hasPhoto: true })
export const empty = market(0)
export const longWords = market(8, { isLong: true })
/** Without favourites. */
export const onlySearches: Server = (asked) =>
  (asked.name === 'favourite.list' ? empty : full)(asked)
/** Never answers. */
export const silent: Server = () => new Promise(() => undefined)
/** Answers who is signed in, and nothing else. */
export const slow: Server = (asked) => (asked.name === 'account.me' ? full : silent)(asked)
export const unreachable: Server = () => offline
/** Its lists answer 500, details 404. */
export const failing: Server = (asked) => {
  if (asked.name === 'account.me') return full(asked)
  return /\.(?:read|view)$/.test(asked.name)
    ? refused(404, 'not_found')
    : { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
}
