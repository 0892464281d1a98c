import { useLingui } from '@lingui/react/macro'
import type { Places, SpecField, SpecsMetadata } from '#schema/wire/catalogue'
import type { Specs } from '#schema/wire/listing'
import { useLiveQuery } from '../data/read.ts'
import { useFormat, useTranslate } from '../locales/format.ts'

export function usePlaces(): Places | null {
  const [document] = useLiveQuery('catalogue.places', {}).rows
  return document?.id === 'places' ? document.places : null
}

/** By slug, which is unique among regions, towns and neighbourhoods. */
export function usePlaceName(): (slug: string | null) => string | undefined {
  const places = usePlaces()
  const all = places && [...places.regions, ...places.towns, ...places.neighbourhoods]
  return (slug) => all?.find((one) => one.slug === slug)?.name
}

export function useSpecs(): readonly SpecsMetadata[] {
  const [document] = useLiveQuery('catalogue.specs', {}).rows
  return document?.id === 'specs' ? document.specs : []
}

export function useSpecFields(category: string): readonly SpecField[] {
  return useSpecs().find((one) => one.category === category)?.fields ?? []
}

/** [S3.04] to [S3.11] */
export function useAnswers(category: string) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { number, decimal } = useFormat()
  const fields = useSpecFields(category)
  const fieldOf = (name: string) => fields.find((one) => one.name === name)

  function value(name: string, specs: Specs) {
    const field = fieldOf(name)
    const given = specs[name]
    if (given === undefined) return undefined
    if (typeof given === 'boolean') return given ? t`Oui` : t`Non`
    const option = field?.options?.find((one) => one.value === given)
    if (option) return translate(option.label)
    // Years have no thousands separator.
    const text = typeof given === 'number' && !/year/.test(name) ? number(given) : String(given)
    if (!field?.unit) return text
    return `${typeof given === 'string' ? decimal(given) : text}\u00a0${translate(field.unit)}`
  }

  return { label: (name: string) => translate(fieldOf(name)?.label) ?? name, value }
}
