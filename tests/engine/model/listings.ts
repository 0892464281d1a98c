import type { Answer } from './server.ts'

interface Photo {
  readonly id: string
  readonly photo: string
}

export interface Step {
  readonly field: Field
  readonly from: string
  readonly to: string
  readonly version: number
  readonly by: 'device' | 'elsewhere'
}

/** Fields that runs edit. No value is written twice, so each can be identified. */
export type Field = 'price' | 'description'

export interface ModelListing {
  readonly id: string
  readonly owner: string
  readonly title: string
  readonly flags: Map<string, boolean>
  readonly at: number
  readonly key: string
  images: readonly Photo[]
  price: number | null
  description: string
  version: number
  imagesAt: number
  readonly steps: Step[]
  readonly reactivated: number[]
}

type Body = Readonly<Record<string, unknown>>

/** [API 9.2]: nothing is stored if a field changed after `base_version`. `fresh`: new uploads. */
export function edited(
  listing: ModelListing,
  body: Body,
  fresh: readonly Photo[],
  by: Step['by'],
  answer: () => Record<string, unknown>,
): Answer {
  const given = fields.filter((field) => body[field] !== undefined)
  const removed = Array.isArray(body['removed_image_ids']) ? body['removed_image_ids'] : []
  const photos = fresh.length + removed.length > 0
  const base = typeof body['base_version'] === 'number' ? body['base_version'] : null
  const behind = (version: number): boolean => base !== null && version > base
  const conflicts: string[] = given.filter((field) =>
    listing.steps.some((step) => step.field === field && behind(step.version)),
  )
  if (photos && behind(listing.imagesAt)) conflicts.push('images')
  if (conflicts.length > 0)
    return {
      status: 409,
      body: { detail: 'changed', code: 'edit_conflict', conflicts, current: answer() },
    }
  const version = listing.version + 1
  for (const field of given) {
    const from = String(listing[field])
    const to = String(body[field])
    if (from === to) continue
    listing.version = version
    listing.steps.push({ field, from, to, version, by })
    if (field === 'price') listing.price = Number(to)
    else listing.description = to
  }
  if (photos) {
    listing.version = version
    listing.imagesAt = version
    listing.images = [...listing.images.filter(({ id }) => !removed.includes(id)), ...fresh]
  }
  return { status: 200, body: answer() }
}

const fields: readonly Field[] = ['price', 'description']

/** [API 9.6]: images that are not named follow in their old order. */
export function reordered(listing: ModelListing, ids: readonly unknown[]): void {
  const named = ids.flatMap((id) => listing.images.find((one) => one.id === id) ?? [])
  const next = [...named, ...listing.images.filter((one) => !named.includes(one))]
  if (next.every((one, place) => one === listing.images[place])) return
  listing.images = next
  listing.version += 1
  listing.imagesAt = listing.version
}

/** As its owner gets it [API 4.6]. */
export function detailOf(
  listing: ModelListing,
  seller: Record<string, unknown>,
  made: string,
  changed: string,
  echoes: boolean,
): Record<string, unknown> {
  const { id, title, price, description, flags, version, key, images } = listing
  const flag = (name: string): boolean => flags.get(name) ?? name === 'active'
  return {
    id,
    title,
    price,
    description,
    version,
    currency: 'XOF',
    negotiable: false,
    condition: null,
    category: { id: 'other', slug: 'other', name: 'Autres' },
    region: 'centre',
    region_name: 'Centre',
    town: null,
    town_name: null,
    neighbourhood: null,
    neighbourhood_name: null,
    location_note: null,
    contact_phone: null,
    specs: {},
    share_url: '',
    favorites_count: 0,
    images: images.map((one, position) => ({
      id: one.id,
      position,
      width: 640,
      height: 480,
      url: `/media/${one.id}/640.webp`,
      base: `/media/${one.id}`,
      widths: [640],
      formats: ['webp'],
      avif_widths: [],
      thumbhash: '',
      color: '#000000',
    })),
    images_count: images.length,
    seller: {
      ...seller,
      followers_count: 0,
      items_sold: 0,
      years_on_platform: 0,
      date_joined: made,
      typical_response_hours: null,
      listings_count: 1,
      is_following: null,
    },
    rating: { average: null, count: 0 },
    status: 'active',
    review_status: 'approved',
    is_active: flag('active'),
    is_sold: flag('sold'),
    is_reserved: flag('reserved'),
    is_archived: flag('archived'),
    is_featured: flag('featured'),
    has_phone: false,
    is_favorite: null,
    is_owner: true,
    views_total: 0,
    views_today: 0,
    posted_at: made,
    created_at: made,
    updated_at: changed,
    client_id: echoes ? key : null,
    review_reason: null,
    expires_at: null,
    featured_until: null,
    sold_at: null,
    conversation_id: null,
  }
}
