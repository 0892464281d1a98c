import type { OwnListingDocument } from '#schema/disk/documents'
import { DAY_MS, EXPIRY_NOTICE_DAYS } from '#schema/limits'

type Listed = Pick<OwnListingDocument, 'id' | 'title' | 'status' | 'expires_at'>

export type AttentionItem = Readonly<{
  id: string
  title: string
  why: 'rejected' | 'expired' | 'expiring'
  days: number
}>

/** The most urgent first [API 5.2]. `now` in ms. */
export function attentionItemsOf(
  listings: readonly Listed[],
  now: number,
): readonly AttentionItem[] {
  const found = listings.flatMap(({ id, title, status, expires_at: end }): AttentionItem[] => {
    if (status === 'rejected' || status === 'expired') return [{ id, title, why: status, days: 0 }]
    const left = end === null ? Number.POSITIVE_INFINITY : Date.parse(end) - now
    const shown = status === 'active' || status === 'reserved'
    // It may have expired since the last fetch.
    if (shown && left <= 0) return [{ id, title, why: 'expired', days: 0 }]
    return shown && left <= EXPIRY_NOTICE_DAYS * DAY_MS
      ? [{ id, title, why: 'expiring', days: Math.floor(left / DAY_MS) }]
      : []
  })
  return found.toSorted((a, b) => order.indexOf(a.why) - order.indexOf(b.why) || a.days - b.days)
}

const order = ['rejected', 'expired', 'expiring']
