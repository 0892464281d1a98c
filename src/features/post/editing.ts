import * as v from 'valibot'
import type { ListingDraft } from '#schema/disk/draft'
import type { ListingDocument } from '#schema/disk/documents'
import { changed, type Current, type Edit, fieldsIn, pick } from '#schema/edit'
import { type ListingFields, listingFields, type QueuedPhoto } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import type { SpecField } from '#schema/wire/catalogue'
import { image, type Image } from '#schema/wire/shapes'
import { fieldsOf, type Form, readForm } from './form.ts'

/** What an edit began from: the listing as its owner saw it. Kept with the draft, so that days later it is still known what changed. */
const startShape = v.object({
  fields: listingFields,
  images: v.array(image),
  version: v.nullable(v.number()),
})
export type Start = v.InferOutput<typeof startShape>

/** What the wizard hands over when it is done. */
export interface Written {
  readonly form: Form
  readonly fields: ListingFields
  /** What the category asks. */
  readonly asked: readonly SpecField[]
  /** Photos that the server does not have. */
  readonly photos: readonly QueuedPhoto[]
  /** All photos, the cover first. */
  readonly order: readonly string[]
}

/** How writing an edit differs from writing a new listing. */
export interface EditWay {
  readonly listing: string
  readonly start: Start
  /** The server's photos, by id. */
  readonly images: ReadonlyMap<string, Image>
  /** unchanged: there is nothing to send. */
  readonly send: (written: Written) => Promise<SendResult | 'unchanged'>
}

/** An own listing as an edit begins from it; null: its text is not on this phone yet. */
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

/** What a draft of an edit began from; null: it is none. */
export function startIn(draft: ListingDraft): Start | null {
  const read = v.safeParse(startShape, draft.fields['start'])
  return read.success ? read.output : null
}

/** Fields as the wizard shows them; `step` is where an edit opens. */
export function formOf(fields: ListingFields, more: Partial<Form> = {}): Form {
  const {
    title,
    description,
    category,
    price,
    negotiable,
    region,
    town,
    neighbourhood,
    contact_phone,
    specs,
  } = fields
  const answers = Object.fromEntries(
    Object.entries(specs).map(([name, value]) => [name, String(value)]),
  )
  return readForm({
    step: 'core',
    title,
    description,
    category,
    price: price === null ? '' : String(price),
    negotiable,
    region,
    town: town ?? '',
    neighbourhood: neighbourhood ?? '',
    phone: contact_phone ?? '',
    specs: answers,
    ...more,
  })
}

/** Only what differs from where it began, read through the same form: what the wizard never asked stays as it is. */
export function editOf({ fields: from, images }: Start, { fields, asked, order }: Written): Edit {
  const there = images.map(({ id }) => id)
  const before = fieldsOf(formOf(from), fields.category === from.category ? asked : [])
  // The wizard has no words for a place that is not in the gazetteer: it goes when another place is chosen.
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

/** The fields with an edit laid over them. */
export function withEdit(
  fields: ListingFields,
  { fields: given }: Pick<Edit, 'fields'>,
): ListingFields {
  return v.parse(listingFields, {
    ...fields,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  })
}

/** Where an edit goes on from after a conflict. */
export function startAt({ fields, pictures, version }: Current): Start {
  return { fields, images: [...pictures], version }
}
