import type { InferOutput } from 'valibot'
import { categoryOf, resolveCategory, specFields } from '#schema/catalogue'
import { PRICE_MAX } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import { regionOfTown, resolveNeighbourhoods, resolveRegions, resolveTowns } from '#schema/places'
import { readFields as readSpecs } from '#schema/spec'
import type { editListing } from '#schema/wire/own'
import type { Row } from '../../../db/tables.ts'
import { refuseFields, type FieldFault, type FieldTexts } from '../../../route/index.ts'
import type { Description } from '../derive.ts'
import texts from './texts.json' with { type: 'json' }

export type ListingValues = Description &
  Pick<Row<'listing'>, 'price' | 'negotiable' | 'contact_phone'>

/** An absent field stays, null clears it. */
export type ListingBody = InferOutput<typeof editListing.body>

type Faults = Record<string, FieldFault[]>

export const fieldTexts: FieldTexts = texts

/** `before`: null for a new listing, whose required fields the schema checked. */
export function readFields(
  body: ListingBody,
  before: ListingValues | null,
  year: number,
): ListingValues {
  const faults: Faults = {}
  const category =
    body.category === undefined ? (before?.category ?? '') : resolveCategory(body.category)
  if (category === null)
    faults['category'] = [{ code: 'invalid_choice', text: texts.category.invalid_choice }]
  const price = priceOf(body.price, before, category ?? '', faults)
  const place = placeOf(body, before)
  if (place === null)
    faults['region'] = [{ code: 'invalid_choice', text: texts.region.invalid_choice }]
  const phone = textOf(body.contact_phone, before?.contact_phone ?? null)
  const contact_phone =
    phone === null ? null : body.contact_phone === undefined ? phone : phoneNumberOf(phone)
  if (phone !== null && contact_phone === null)
    faults['contact_phone'] = [{ code: 'phone_invalid' }]
  const specs = specsOf(body.specs, before, category ?? '', year, faults)
  if (Object.keys(faults).length > 0 || category === null || place === null)
    throw refuseFields(faults)
  return {
    title: body.title ?? before?.title ?? '',
    description: body.description ?? before?.description ?? '',
    category,
    price,
    negotiable:
      body.negotiable === undefined ? (before?.negotiable ?? false) : (body.negotiable ?? false),
    ...place,
    contact_phone,
    specs,
  }
}

const textOf = (given: string | null | undefined, before: string | null) =>
  given === undefined ? before : given === null || given === '' ? null : given

/** [API 5.3]: francs or their digits. Where no price is required, 0 is null. */
function priceOf(
  given: ListingBody['price'],
  before: ListingValues | null,
  category: string,
  faults: Faults,
) {
  const required = categoryOf(category)?.priceRequired ?? false
  const refused = (fault: FieldFault) => {
    faults['price'] = [fault]
    return null
  }
  const plain = typeof given === 'string' ? given.replaceAll(/\s/gu, '') : given
  const kept = given === undefined ? (before?.price ?? null) : null
  if (plain === undefined || plain === null || plain === '')
    return kept === null && required ? refused({ code: 'required' }) : kept
  const price = typeof plain === 'number' ? plain : /^-?\d{1,15}$/.test(plain) ? Number(plain) : NaN
  const more = { min: 1, max: PRICE_MAX }
  if (!Number.isInteger(price)) return refused({ code: 'invalid', text: texts.price.invalid })
  if (price === 0 && !required) return null
  if (price < 1) return refused({ code: 'min_value', text: texts.price.min_value, more })
  return price > PRICE_MAX
    ? refused({ code: 'max_value', text: texts.price.max_value, more })
    : price
}

type Where = Pick<ListingValues, 'region' | 'town' | 'neighbourhood' | 'location_note'>

/** An unknown town or neighbourhood becomes the note; null when the region is unknown. */
function placeOf(body: ListingBody, before: ListingValues | null): Where | null {
  const region = regionOf(body, before)
  if (region === null) return null
  const note = textOf(body.location_note, before?.location_note ?? null)
  const named = textOf(body.town, before?.town ?? null)
  const town = named === null ? null : (resolveTowns(named, region)[0] ?? null)
  const quarter = textOf(body.neighbourhood, before?.neighbourhood ?? null)
  const neighbourhood =
    quarter === null || town === null ? null : (resolveNeighbourhoods(quarter, town)[0] ?? null)
  const unknown = [
    body.town === undefined || town !== null ? null : named,
    body.neighbourhood === undefined || neighbourhood !== null ? null : quarter,
  ]
  const kept = [note, ...unknown].find((text) => text !== null && text !== '')
  return { region, town, neighbourhood, location_note: kept ?? null }
}

/** Of a former region that was split: the part of the given town, else the first. */
function regionOf({ region, town }: ListingBody, before: ListingValues | null) {
  if (region === undefined) return before?.region ?? null
  const found = resolveRegions(region)
  const ofTown =
    found.length > 1 && typeof town === 'string' ? resolveTowns(town).map(regionOfTown) : []
  return found.find((slug) => ofTown.includes(slug)) ?? found[0] ?? null
}

/** Drops specs that the category lacks; validates only those given now. */
function specsOf(
  given: ListingBody['specs'],
  before: ListingValues | null,
  category: string,
  year: number,
  faults: Faults,
): ListingValues['specs'] {
  const { specs, problems } = readSpecs(
    specFields(category, year),
    given === undefined ? (before?.specs ?? {}) : (given ?? {}),
  )
  if (given !== undefined)
    for (const { name, code, more } of problems) faults[`specs.${name}`] = [{ code, more }]
  return specs
}
