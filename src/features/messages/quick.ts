import quick from 'virtual:texts/quick_messages'
import type { LocalizedText } from '#schema/wire/shapes'

export type QuickText = LocalizedText & {
  readonly id: string
  readonly categories?: readonly string[]
}

/** Without templates: no screen can fill their blanks. */
export function quickFor(side: 'buyer' | 'seller', category: string | null): readonly QuickText[] {
  return quick[side]
    .filter((one) => 'fr' in one)
    .filter(
      ({ categories }) =>
        categories === undefined || (category !== null && categories.includes(category)),
    )
}
