import * as v from 'valibot'
import type { ListingDraft } from '#schema/disk/draft'
import type { ListingDocument } from '#schema/disk/documents'
import { changed, type Current, type Edit, fieldsIn, pick } from '#schema/edit'
import { parsed } from '#schema/parsed'
import { type ListingFields, listingFields, type QueuedPhoto } from '#schema/port/ownListing'
import type { SendResult } from '#schema/port/outcome'
import type { SpecField } from '#schema/wire/catalogue'
import { image, type Image } from '#schema/wire/shapes'
import { fieldsOf, type Form, readForm } from './form.ts'

/** Saved with the draft: the changes must be known days later. */
const startShape = v.object({
  fields: listingFields,
  images: v.array(image),
  version: v.nullable(v.number()),
})
export type Start = v.InferOutput<typeof startShape>

export interface Written {
  readonly form: Form
  readonly fields: ListingFields
  readonly asked: readonly SpecField[]
  readonly photos: readonly QueuedPhoto[]
  readonly order: readonly string[]
}

export interface EditContext {
  readonly listing: string
  readonly start: Start
  readonly images: ReadonlyMap<string, Image>
  readonly send: (written: Written) => Promise<SendResult | 'unchanged'>
}

export function startOf(listing: ListingDocument): Start | null {
  const { more } = listing
  if (more === null) return null
  const { contact_phone, description, specs, images, version } = more
  return {
    fields: fieldsIn({ ...listing, contact_phone, description }, listing.category, specs),
    images: [...images],
    version: version > 0 ? version : null,
  }
}

export function startIn(draft: ListingDraft): Start | null {
  return parsed(startShape, draft.fields['start'])
}

export function formOf(fields: ListingFields, more: Partial<Form> = {}): Form {
  const { price, contact_phone, specs } = fields
  return readForm({
    ...fields,
    step: 'core',
    price: price === null ? '' : String(price),
    phone: contact_phone,
    specs: Object.fromEntries(Object.entries(specs).map(([name, value]) => [name, String(value)])),
    ...more,
  })
}

/** Fields that the wizard does not show stay unchanged. */
export function editOf({ fields: from, images }: Start, { fields, asked, order }: Written): Edit {
  const there = images.map(({ id }) => id)
  const before = fieldsOf(formOf(from), fields.category === from.category ? asked : [])
  // The note goes when another location is chosen: the wizard cannot show it.
  const placed = fields.region !== before.region || fields.town !== before.town
  const given = pick(
    changed(before, fields),
    (name) => name !== 'location_note' || (placed && from.location_note !== null),
  )
  const moved = order.length !== there.length || order.some((id, place) => id !== there[place])
  const note = placed && from.location_note !== null ? { location_note: null } : {}
  const all = { ...given, ...note }
  return {
    fields: all,
    base: pick(from, (name) => name in all),
    images: moved ? { order: [...order], before: there } : null,
  }
}

export function isEmpty({ fields, images }: Edit): boolean {
  return Object.keys(fields).length === 0 && images === null
}

export function withEdit(
  fields: ListingFields,
  { fields: given }: Pick<Edit, 'fields'>,
): ListingFields {
  return v.parse(listingFields, {
    ...fields,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  })
}

export function startAt({ fields, pictures, version }: Current): Start {
  return { fields, images: [...pictures], version }
}
