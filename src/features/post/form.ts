import { readFields } from '#schema/spec'
import { phoneNumberOf } from '#schema/phoneNumber'
import { type ListingFields, listingFields, type QueuedPhoto } from '#schema/port/ownListing'
import { priceOf } from '../../parts/typedPrice.ts'
import type { SpecField, SpecsMetadata } from '#schema/wire/catalogue'
import type { MessageDescriptor } from '@lingui/core'
import type { ListingDraft } from '#schema/disk/draft'
import type { ListingDocument } from '#schema/disk/documents'
import { changed, type Current, type Edit, fieldsIn, pick } from '#schema/edit'
import { parsed } from '#schema/parsed'
import type { SendResult } from '#schema/port/outcome'
import { image, type Image } from '#schema/wire/shapes'

import * as v from 'valibot'

export const steps = ['category', 'core', 'specs', 'review'] as const
export type Step = (typeof steps)[number]

const text = v.fallback(v.string(), '')

/** As typed, including invalid values and specs of other categories. */
const typed = v.object({
  step: v.fallback(v.picklist(steps), 'category'),
  category: text,
  title: text,
  description: text,
  price: text,
  negotiable: v.fallback(v.boolean(), false),
  region: text,
  town: text,
  neighbourhood: text,
  phone: text,
  specs: v.fallback(v.record(v.string(), v.string()), {}),
  proposed: v.fallback(v.array(v.string()), []),
  wifiOnly: v.fallback(v.boolean(), false),
})
export type Form = Readonly<v.InferOutput<typeof typed>>

export function readForm(fields: Readonly<Record<string, unknown>>): Form {
  return v.parse(typed, fields)
}

export function fieldsOf(form: Form, fields: readonly SpecField[]): ListingFields {
  const price = priceOf(form.price) ?? 0
  return {
    title: form.title.trim(),
    description: form.description.trim(),
    category: form.category,
    price: price === 0 ? null : price,
    negotiable: form.negotiable,
    region: form.region,
    town: form.town || null,
    neighbourhood: form.neighbourhood || null,
    location_note: null,
    contact_phone: phoneNumberOf(form.phone),
    specs: readFields(fields, form.specs).specs,
  }
}

/** A category's steps: some have no specs [S3.10]. */
export function stepsOf(fields: readonly SpecField[]): readonly Step[] {
  return steps.filter((step) => step !== 'specs' || fields.length > 0)
}

export type Wrong = Readonly<Record<string, MessageDescriptor>>
/** The category's rules [API 8.7]. */
export type Asked = Pick<SpecsMetadata, 'fields'> & {
  readonly price: Pick<SpecsMetadata['price'], 'required'>
}

export type StepProps = Readonly<{
  form: Form
  set: (part: Partial<Form>) => void
  wrong: Wrong
  asked: SpecsMetadata | null
}>

/** Saved with the draft: the changes must be known days later. */
const startShape = v.object({
  fields: listingFields,
  images: v.array(image),
  version: v.nullable(v.number()),
})
export type Start = v.InferOutput<typeof startShape>

export type Written = Readonly<{
  form: Form
  fields: ListingFields
  asked: readonly SpecField[]
  photos: readonly QueuedPhoto[]
  order: readonly string[]
}>

export type EditContext = Readonly<{
  listing: string
  start: Start
  images: ReadonlyMap<string, Image>
  send: (written: Written) => Promise<SendResult | 'unchanged'>
}>

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

export function isEmpty({ fields, images }: Edit) {
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
