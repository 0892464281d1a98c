import { useLingui } from '@lingui/react/macro'
import type { ListingFields } from '#schema/port/ownListing'
import type { Specs } from '#schema/wire/listing'
import { useFormat } from '../../locales/format.ts'
import { useSay } from '../../locales/say.ts'
import { usePlaces, useSpecFields } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'

export interface FieldTexts {
  label(name: string): string
  value(name: string, fields: ListingFields): string
}

/** Fields by their names in [API 5.3], and `specs.NAME` for the category's. */
export function useFieldTexts(category: string): FieldTexts {
  const { t } = useLingui()
  const say = useSay()
  const { money } = useFormat()
  const known = usePlaces()
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
        return say(categoryOf(fields.category)?.name) ?? fields.category
      case 'price':
        return fields.price === null ? t`Sans prix` : money(fields.price)
      case 'negotiable':
        return fields.negotiable ? t`Oui` : t`Non`
      case 'region':
        return known?.regions.find(({ slug }) => slug === fields.region)?.name ?? fields.region
      case 'town':
        return known?.towns.find(({ slug }) => slug === fields.town)?.name ?? fields.town ?? none
      case 'neighbourhood':
        return (
          known?.neighbourhoods.find(({ slug }) => slug === fields.neighbourhood)?.name ??
          fields.neighbourhood ??
          none
        )
      case 'title':
        return fields.title
      case 'description':
        return fields.description
      case 'location_note':
        return fields.location_note ?? none
      case 'contact_phone':
        return fields.contact_phone ?? none
      default:
        return ''
    }
  }

  return { label: (name) => labels[name] ?? answer.label(specIn(name) ?? name), value }
}

export interface Answers {
  label(name: string): string
  value(name: string, specs: Specs): string | undefined
}

/** The category's answers as text ([S3.04] to [S3.11]). */
export function useAnswers(category: string): Answers {
  const { t } = useLingui()
  const say = useSay()
  const { number, decimal } = useFormat()
  const fields = useSpecFields(category)
  const fieldOf = (name: string) => fields.find((one) => one.name === name)

  function value(name: string, specs: Specs): string | undefined {
    const field = fieldOf(name)
    const given = specs[name]
    if (given === undefined) return undefined
    if (typeof given === 'boolean') return given ? t`Oui` : t`Non`
    const option = field?.options?.find((one) => one.value === given)
    if (option) return say(option.label)
    // A number without a unit is a year or a count: shown as typed.
    return field?.unit
      ? `${typeof given === 'number' ? number(given) : decimal(given)}\u00a0${say(field.unit)}`
      : String(given)
  }

  return { label: (name) => say(fieldOf(name)?.label) ?? name, value }
}

function specIn(name: string): string | null {
  return name.startsWith('specs.') ? name.slice('specs.'.length) : null
}
