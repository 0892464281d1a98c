import { useLingui } from '@lingui/react/macro'
import type { ListingFields } from '#schema/port/ownListing'
import { useFormat } from '../../locales/format.ts'
import { useTranslate } from '../../locales/translate.ts'
import { useAnswers, usePlaceName } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'

/** Fields by their names in [API 5.3], and `specs.NAME` for the category's. */
export function useFieldTexts(category: string) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { money } = useFormat()
  const placeName = usePlaceName()
  const answer = useAnswers(category)
  const labels: Readonly<Record<string, string>> = {
    title: t`Titre`,
    description: t`Description`,
    category: t`Catégorie`,
    price: t`Prix`,
    negotiable: t`Prix négociable`,
    region: t`Région`,
    town: t`Ville`,
    neighbourhood: t`Quartier`,
    location_note: t`Lieu`,
    contact_phone: t`Téléphone`,
    images: t`Photos`,
  }
  const none = t`Aucun`

  function value(name: string, fields: ListingFields): string {
    const spec = specIn(name)
    if (spec !== null) return answer.value(spec, fields.specs) ?? none
    switch (name) {
      case 'category':
        return translate(categoryOf(fields.category)?.name) ?? fields.category
      case 'price':
        return fields.price === null ? t`Sans prix` : money(fields.price)
      case 'negotiable':
        return fields.negotiable ? t`Oui` : t`Non`
      case 'region':
      case 'town':
      case 'neighbourhood':
        return placeName(fields[name]) ?? fields[name] ?? none
      case 'title':
      case 'description':
      case 'location_note':
      case 'contact_phone':
        return fields[name] ?? none
      default:
        return ''
    }
  }

  return { label: (name: string) => labels[name] ?? answer.label(specIn(name) ?? name), value }
}

function specIn(name: string): string | null {
  return name.startsWith('specs.') ? name.slice('specs.'.length) : null
}
