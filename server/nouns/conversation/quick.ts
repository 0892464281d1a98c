import texts from '#schema/data/texts.json' with { type: 'json' }
import { QUICK_MESSAGES } from '#schema/limits'
import type { LocalizedText } from '#schema/wire/shapes'

interface About {
  readonly category: string
  readonly town_name: string | null
  readonly is_owner: boolean
}

interface Offered extends LocalizedText {
  readonly categories?: readonly string[]
}

/**
 * At most six [API 11.3], those of the category first, with `{town}` filled in; without those whose
 * placeholders only the user can fill.
 */
export function quickMessages(about: About): LocalizedText[] {
  const offered: readonly Offered[] = about.is_owner
    ? texts.quick_messages.seller
    : texts.quick_messages.buyer
  const town = about.town_name
  const filled = offered
    .filter(({ categories }) => categories === undefined || categories.includes(about.category))
    .toSorted((a, b) => Number(b.categories !== undefined) - Number(a.categories !== undefined))
    .map(({ fr, en }) =>
      town === null
        ? { fr, en }
        : { fr: fr.replaceAll('{town}', town), en: en.replaceAll('{town}', town) },
    )
  return filled.filter(({ fr }) => !fr.includes('{')).slice(0, QUICK_MESSAGES)
}
