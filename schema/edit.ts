import * as v from 'valibot'
import { parsed } from './parsed.ts'
import type { Payload } from './port/command.ts'
import { type ListingFields, listingFields } from './port/ownListing.ts'
import { stableJson } from './stableJson.ts'
import { listingDetail, type Specs } from './wire/listing.ts'
import type { Problem } from './wire/problem.ts'
import type { Image } from './wire/shapes.ts'

/** With the values that its author saw (`base`), to detect conflicts. */
export type Edit = Pick<Payload<'listing.edit'>, 'fields' | 'base' | 'images'>

export type Current = Readonly<{
  fields: ListingFields
  /** The cover first. */
  images: readonly string[]
  pictures: readonly Image[]
  version: number
}>

type SomeFields = Edit['fields']
type Name = keyof ListingFields
type Editable = Omit<ListingFields, 'category' | 'specs'>

export function fieldsIn(listing: Editable, category: string, specs: Specs): ListingFields {
  return v.parse(listingFields, { ...listing, category, specs })
}

/**
 * The current listing in a 409 [API 9.2]; null: another refusal, or a server that does not send it.
 */
export function currentOf(problem: Problem | null): Current | null {
  if (problem?.code !== 'edit_conflict') return null
  const listing = parsed(listingDetail, problem['current'])
  if (listing === null) return null
  const { category, specs, images, version } = listing
  return {
    fields: fieldsIn(listing, category.slug, specs),
    images: images.map(({ id }) => id),
    pictures: images,
    version,
  }
}

export function changed(from: ListingFields, wanted: ListingFields): SomeFields {
  return pick(wanted, (name) => !same(from[name], wanted[name]))
}

export function pick(all: SomeFields, which: (name: Name) => boolean): SomeFields {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isName(name) && which(name)))
}

/** Names of fields, `specs.NAME` and `images` that both sides changed differently. */
export function clashes({ fields, base, images }: Edit, now: Current): readonly string[] {
  const names = Object.keys(fields).filter(isName)
  const plain = names.filter(
    (name) => name !== 'specs' && differs(now.fields[name], base[name], fields[name]),
  )
  const specs = specsTouched({ fields, base }).filter((name) =>
    differs(now.fields.specs[name], base.specs?.[name], fields.specs?.[name]),
  )
  // After a lost answer, the photos that this edit removed are gone: no conflict with itself.
  const less = images?.before.filter((id) => images.order.includes(id))
  const photos = images !== null && differs(now.images, images.before, images.order, less)
  // In another category the specs are others.
  const other = fields.category !== undefined && fields.category !== now.fields.category
  return [
    ...plain,
    ...(other ? [] : specs.map((name) => `specs.${name}`)),
    ...(photos ? ['images'] : []),
  ]
}

/** The edit on top of the current listing, with those conflicts for which `mine` is true. */
export function rebase(edit: Edit, now: Current, mine: (name: string) => boolean): Edit {
  const clash = new Set(clashes(edit, now))
  const keeps = (name: string) => !clash.has(name) || mine(name)
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

function specsOver(edit: Edit, now: Specs, keeps: (name: string) => boolean) {
  const own = specsTouched(edit).filter((name) => keeps(`specs.${name}`))
  const kept = Object.entries(now).filter(([name]) => !own.includes(name))
  const given = Object.entries(edit.fields.specs ?? {}).filter(([name]) => own.includes(name))
  return Object.fromEntries([...kept, ...given])
}

function specsTouched({ fields, base }: Pick<Edit, 'fields' | 'base'>) {
  if (fields.specs === undefined) return []
  const names = new Set([...Object.keys(base.specs ?? {}), ...Object.keys(fields.specs)])
  return [...names].filter((name) => !same(base.specs?.[name], fields.specs?.[name]))
}

/**
 * Photos that another device removed stay removed; those it added go if the user chose their own.
 */
function imagesOver(images: Edit['images'], now: readonly string[], chosen: boolean) {
  if (images === null) return null
  const gone = new Set(images.before.filter((id) => !now.includes(id)))
  const order = chosen ? images.order.filter((id) => !gone.has(id)) : images.order
  return same(order, now) ? null : { order, before: [...now] }
}

function isName(name: string): name is Name {
  return name in listingFields.entries
}

const differs = (value: unknown, ...others: readonly unknown[]) =>
  !others.some((other) => same(other, value))

/** As JSON, members in any order; absent equals null. */
export function same(one: unknown, other: unknown) {
  return stableJson(one ?? null) === stableJson(other ?? null)
}
