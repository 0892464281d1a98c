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
