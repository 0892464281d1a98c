import type { ShopDocument } from './disk/documents.ts'
import { amount, members, ratingOf, sellerDetail, text } from './tolerant.ts'

export function readShop(body: unknown, now: number): ShopDocument | null {
  const object = members(body)
  const shop = sellerDetail(object, new Date(now).toISOString())
  if (shop.id === '') return null
  return {
    ...shop,
    bio: text(object['bio']) ?? '',
    following_count: amount(object['following_count']) ?? 0,
    rating: ratingOf(object['rating']),
  }
}
