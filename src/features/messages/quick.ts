import quick from 'virtual:texts/quick_messages'
import type { LocalizedText } from '#schema/wire/shapes'

export type QuickText = LocalizedText & {
  readonly id: string
  readonly categories?: readonly string[]
}

/** Ready-made texts for this side and category; those with a blank are left out: no screen knows what to fill it with. */
export function quickFor(side: 'buyer' | 'seller', category: string | null): readonly QuickText[] {
  return quick[side]
    .filter((one) => 'fr' in one)
    .filter(
      ({ categories }) =>
        categories === undefined || (category !== null && categories.includes(category)),
    )
}
