import type { SellerMini } from '#schema/wire/shapes'

/** The other side of a conversation; null when the server no longer names one. */
export function peerOf(participants: readonly SellerMini[], me: string): SellerMini | null {
  return participants.find((person) => person.id !== me) ?? null
}

/** Nobody is called as the server calls whoever is gone [API 4.2]: `deleted` says it in the reader's language. */
export function nameOf(peer: SellerMini | null, deleted: string): string {
  return peer === null || peer.deleted ? deleted : (peer.shop_name ?? peer.username)
}

/** `new-LISTING` is a conversation that the server does not know yet. */
export function listingOfNew(conversation: string): string | null {
  return conversation.startsWith('new-') ? conversation.slice('new-'.length) : null
}

/** A buyer's text belongs to the listing, so that it outlives the move from `new-LISTING` to the real conversation. */
export function draftKeyOf(conversation: string, listing: string, buys: boolean): string {
  return buys ? `listing:${listing}` : `message:${conversation}`
}
