import type { SellerMini } from '#schema/wire/shapes'

export function peerOf(participants: readonly SellerMini[], me: string): SellerMini | null {
  return participants.find((person) => person.id !== me) ?? null
}

/**
 * `deleted`: translated label of a deleted account [API 4.2], instead of the server's placeholder.
 */
export function nameOf(peer: SellerMini | null, deleted: string): string {
  return peer === null || peer.deleted ? deleted : (peer.shop_name ?? peer.username)
}

/**
 * A buyer's draft is keyed by listing: it survives the change from `new-LISTING` to the real id.
 */
export function draftKeyOf(conversation: string, listing: string, buys: boolean): string {
  return buys ? `listing:${listing}` : `message:${conversation}`
}
