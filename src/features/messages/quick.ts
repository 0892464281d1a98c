import quick from 'virtual:texts/quick_messages'

export type QuickText = ReturnType<typeof quickFor>[number]

/** No templates: no screen can fill their blanks. */
export function quickFor(side: 'buyer' | 'seller', category: string | null) {
  return quick[side]
    .filter((one) => 'fr' in one)
    .filter(
      ({ categories }) =>
        categories === undefined || (category !== null && categories.includes(category)),
    )
}
