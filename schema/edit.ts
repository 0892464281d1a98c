import * as v from 'valibot'
import { type ListingFields, listingFields, type Payload } from './port/command.ts'
import { listingDetail, type Specs } from './wire/listing.ts'
import type { Problem } from './wire/problem.ts'
import type { Image } from './wire/shapes.ts'

/** An edit of an own listing, against what its writer saw: what somebody else left as it was is no conflict. */
export type Edit = Pick<Payload<'listing.edit'>, 'fields' | 'base' | 'images'>

/** A listing as the server has it now. */
export interface Current {
  readonly fields: ListingFields
  /** Ids, the cover first. */
  readonly images: readonly string[]
  readonly pictures: readonly Image[]
  readonly version: number
}

/** Some of the fields of a listing. */
export type SomeFields = Edit['fields']
type Name = keyof ListingFields
type Editable = Omit<ListingFields, 'category' | 'specs'>

/** What can be edited, of a listing however it was read. */
export function fieldsIn(listing: Editable, category: string, specs: Specs): ListingFields {
  const {
    title,
    description,
    price,
    negotiable,
    region,
    town,
    neighbourhood,
    location_note,
    contact_phone,
  } = listing
  return {
    title,
    description,
    category,
    price,
    negotiable,
    region,
    town,
    neighbourhood,
    location_note,
    contact_phone,
    specs,
  }
}

/** The listing that a 409 brings along [API 9.2]; null: another refusal, or of a server that does not say. */
export function currentOf(problem: Problem | null): Current | null {
  if (problem?.code !== 'edit_conflict') return null
  const read = v.safeParse(listingDetail, problem['current'])
  if (!read.success) return null
  const { category, specs, images, version } = read.output
  return {
    fields: fieldsIn(read.output, category.slug, specs),
    images: images.map(({ id }) => id),
    pictures: images,
    version,
  }
}

/** The fields of `wanted` that differ. */
export function changed(from: ListingFields, wanted: ListingFields): SomeFields {
  return pick(wanted, (name) => !same(from[name], wanted[name]))
}

/** Those of `all` that `which` names. */
export function pick(all: SomeFields, which: (name: Name) => boolean): SomeFields {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isName(name) && which(name)))
}

/**
 * Where both sides changed the same thing to different ends: names of fields, `specs.NAME` for each of the category's own,
 * `images` for the photos and their order.
 */
export function clashes({ fields, base, images }: Edit, now: Current): readonly string[] {
  const names = Object.keys(fields).filter(isName)
  const plain = names.filter(
    (name) =>
      name !== 'specs' &&
      !same(base[name], now.fields[name]) &&
      !same(fields[name], now.fields[name]),
  )
  const specs = specsTouched({ fields, base }).filter(
    (name) =>
      !same(base.specs?.[name], now.fields.specs[name]) &&
      !same(fields.specs?.[name], now.fields.specs[name]),
  )
  // Only what this edit takes away itself is gone: where its answer was lost, it meets what it did.
  const less = images?.before.filter((id) => images.order.includes(id))
  const photos =
    images !== null && ![images.before, images.order, less].some((ids) => same(ids, now.images))
  // In another category the questions are others: then its answers go with it.
  const other = fields.category !== undefined && fields.category !== now.fields.category
  return [
    ...plain,
    ...(other ? [] : specs.map((name) => `specs.${name}`)),
    ...(photos ? ['images'] : []),
  ]
}

/** The edit as it goes on from what is there now. Of what clashes only what `mine` names is kept; the rest is as the server has it. */
export function rebase(edit: Edit, now: Current, mine: (name: string) => boolean): Edit {
  const clash = new Set(clashes(edit, now))
  const keeps = (name: string): boolean => !clash.has(name) || mine(name)
  const plain = pick(
    edit.fields,
    (name) => name !== 'specs' && keeps(name) && !same(edit.fields[name], now.fields[name]),
  )
  const specs =
    plain.category === undefined ? specsOver(edit, now.fields.specs, keeps) : edit.fields.specs
  const fields = specs === undefined || same(specs, now.fields.specs) ? plain : { ...plain, specs }
  return {
    fields,
    base: pick(now.fields, (name) => name in fields),
    images: keeps('images') ? imagesOver(edit.images, now.images, clash.has('images')) : null,
  }
}

function specsOver(edit: Edit, now: Specs, keeps: (name: string) => boolean): Specs {
  const own = specsTouched(edit).filter((name) => keeps(`specs.${name}`))
  const kept = Object.entries(now).filter(([name]) => !own.includes(name))
  const given = Object.entries(edit.fields.specs ?? {}).filter(([name]) => own.includes(name))
  return Object.fromEntries([...kept, ...given])
}

/** The category's own fields that this edit gives another value, or takes away. */
function specsTouched({ fields, base }: Pick<Edit, 'fields' | 'base'>): readonly string[] {
  if (fields.specs === undefined) return []
  const names = new Set([...Object.keys(base.specs ?? {}), ...Object.keys(fields.specs)])
  return [...names].filter((name) => !same(base.specs?.[name], fields.specs?.[name]))
}

/** What another device took away is not put back; what it added goes, where the person chose their own photos. */
function imagesOver(
  images: Edit['images'],
  now: readonly string[],
  chosen: boolean,
): Edit['images'] {
  if (images === null) return null
  const gone = new Set(images.before.filter((id) => !now.includes(id)))
  const order = chosen ? images.order.filter((id) => !gone.has(id)) : images.order
  return same(order, now) ? null : { order, before: [...now] }
}

function isName(name: string): name is Name {
  return name in listingFields.entries
}

/** Equal as JSON, members in any order; absent and null are one. */
export function same(one: unknown, other: unknown): boolean {
  return text(one) === text(other)
}

function text(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
