import type { OwnListingDocument } from '#schema/disk/documents'
import type { Payload } from '#schema/port/command'

type Change = Payload<'listing.edit'>

/** `price`: francs. `draft`: a new id, without a draft. */
export function priceChange(
  {
    id,
    price: before,
    more,
    version,
  }: Pick<OwnListingDocument, 'id' | 'price' | 'more' | 'version'>,
  draft: string,
  price: number | null,
): Change {
  // The details may be older than the card: the server then compares field by field.
  const known = more === null ? version : more.version
  return {
    listing: id,
    draft,
    fields: { price },
    base: { price: before },
    photos: [],
    images: null,
    baseVersion: known > 0 ? known : null,
    wifiOnly: false,
  }
}

/** Replaces the change while it waits, by its draft; else changes the price back. */
export function undone({ fields, base, ...change }: Change): Change {
  return { ...change, fields: { price: base.price ?? null }, base: { price: fields.price ?? null } }
}
