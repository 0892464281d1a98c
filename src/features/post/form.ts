import * as v from 'valibot'
import { readFields } from '#schema/spec'
import { phoneNumberOf } from '#schema/phoneNumber'
import type { ListingFields } from '#schema/port/ownListing'
import { priceOf } from '../../parts/typedPrice.ts'
import type { SpecField } from '#schema/wire/catalogue'

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
  /** Names of the specs that come from the title, and that nobody changed since. */
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
