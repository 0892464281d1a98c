import { useLingui } from '@lingui/react/macro'
import type { SpecField } from '#schema/wire/catalogue'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { usePlaceName, useSpecs } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'

export function useFilterLabels(
  category: string | undefined,
): (name: string, value: string) => string {
  const { t } = useLingui()
  const translate = useTranslate()
  const { money, number, decimal } = useFormat()
  const placeName = usePlaceName()
  // The chosen category's first: a used house is “bon état”, a used phone “occasion”.
  const fields = useSpecs()
    .toSorted((a, b) => Number(b.category === category) - Number(a.category === category))
    .flatMap((specs) => specs.fields)

  function amount(value: string) {
    const number = Number(value)
    return Number.isFinite(number) ? money(number) : value
  }

  function each(value: string, one: (part: string) => string) {
    return value.split(',').map(one).join(', ')
  }

  return (name, value) => {
    switch (name) {
      case 'category':
        return each(value, (slug) => translate(categoryOf(slug)?.name) ?? slug)
      case 'region':
      case 'town':
      case 'neighbourhood':
        return each(value, (slug) => placeName(slug) ?? slug)
      case 'price_min':
        return t`À partir de ${amount(value)}`
      case 'price_max':
        return t`Jusqu’à ${amount(value)}`
      case 'condition':
        return each(value, (one) => optionLabel('condition', one))
      case 'negotiable':
        return value === 'false' || value === '0' ? t`Prix fixe` : t`À débattre`
      case 'has_images':
        return t`Avec photos`
      case 'is_featured':
        return t`À la une`
      case 'verified_seller':
        return t`Vendeur vérifié`
      case 'posted_within':
        return value === '1' || value === '24h'
          ? t`Depuis 24 heures`
          : t`Depuis ${value.replace(/d$/, '')} jours`
      case 'near':
        return t`Autour de moi`
      case 'radius_km':
        return t`${value} km`
      case 'seller':
        return t`Un vendeur`
      default:
        return name.startsWith('spec.') ? specLabel(name.slice('spec.'.length), value) : value
    }
  }

  function optionLabel(field: string, value: string) {
    const options = fields.flatMap((one) => (one.name === field ? (one.options ?? []) : []))
    return translate(options.find((one) => one.value === value)?.label) ?? value
  }

  function specLabel(field: string, value: string) {
    const known = fields.find((one) => one.name === field)
    const label = translate(known?.label) ?? field
    if (value === 'true') return label
    const text =
      known?.type === 'integer'
        ? rangeLabel(known, value)
        : each(value, (one) =>
            known?.unit ? `${decimal(one)}\u00a0${translate(known.unit)}` : optionLabel(field, one),
          )
    return `${label} : ${text}`.replace(' :', '\u00a0:')
  }

  function rangeLabel(field: SpecField, value: string) {
    const [from = '', to = from] = value.split('..')
    const unit = field.unit ? `\u00a0${translate(field.unit)}` : ''
    // Years have no thousands separator.
    const [low, high] = [from, to].map((one) =>
      /year/.test(field.name) || !/^\d+$/.test(one) ? one : number(Number(one)),
    )
    if (from === to) return `${low}${unit}`
    if (to === '') return t`dès ${low}${unit}`
    return from === '' ? t`jusqu’à ${high}${unit}` : t`de ${low} à ${high}${unit}`
  }
}
