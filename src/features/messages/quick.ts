import quick from 'virtual:texts/quick_messages'

/** No templates: no screen can fill their blanks. */
export function quickFor(side: 'buyer' | 'seller', category: string | null) {
  return quick[side]
    .filter((one) => 'fr' in one)
    .filter(({ categories }) => categories?.includes(category ?? '') !== false)
}
