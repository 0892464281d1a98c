import type { SellerMini } from '#schema/wire/shapes'

export function peerOf(participants: readonly SellerMini[], me: string): SellerMini | null {
  return participants.find((person) => person.id !== me) ?? null
}

/** By listing: survives the change from `new-LISTING` to the real id. */
export function draftKeyOf(conversation: string, listing: string, buys: boolean) {
  return buys ? `listing:${listing}` : `message:${conversation}`
}
