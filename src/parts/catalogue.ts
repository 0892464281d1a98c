import type { Places, SpecField, SpecsMetadata } from '#schema/wire/catalogue'
import { useLiveQuery } from '../data/read.ts'

/** Regions, towns and neighbourhoods; null until loaded. */
export function usePlaces(): Places | null {
  const [document] = useLiveQuery('catalogue.places', {}).rows
  return document?.id === 'places' ? document.places : null
}

/** The form fields of each category; empty until loaded. */
export function useSpecs(): readonly SpecsMetadata[] {
  const [document] = useLiveQuery('catalogue.specs', {}).rows
  return document?.id === 'specs' ? document.specs : []
}

export function useSpecFields(category: string): readonly SpecField[] {
  return useSpecs().find((one) => one.category === category)?.fields ?? []
}

type Option = readonly [slug: string, name: string]

/** The towns of a region (all of them without one) and the neighbourhoods of a town. */
export function nearby(
  { towns, neighbourhoods }: Places,
  region: string,
  town: string,
): { readonly towns: readonly Option[]; readonly quarters: readonly Option[] } {
  const option = ({ slug, name }: { slug: string; name: string }): Option => [slug, name]
  return {
    towns: towns
      .filter((one) => region === '' || one.region === region)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'fr'))
      .map(option),
    quarters: neighbourhoods.filter((one) => one.town === town).map(option),
  }
}
