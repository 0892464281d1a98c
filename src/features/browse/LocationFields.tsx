import { useLingui } from '@lingui/react/macro'
import type { Facets } from '#schema/wire/listing'
import { useSay } from '../../locales/say.ts'
import { usePlaces } from '../../parts/catalogue.ts'
import { SelectField } from '../../ui/Field.tsx'
import type { Address } from './filterParams.ts'

/** [S2.46], from the local gazetteer. */
export function LocationFields({
  chosen,
  set,
  facets,
}: {
  chosen: Address
  set: (change: Readonly<Record<string, string | null>>) => void
  facets: Facets | null
}) {
  const { t } = useLingui()
  const say = useSay()
  const places = usePlaces()
  if (!places) return null
  const { regions, towns, neighbourhoods } = places
  const { region = '', town = '', neighbourhood = '' } = chosen
  const near = region === '' ? towns : towns.filter((one) => one.region === region)
  const quarters = neighbourhoods.filter((one) => one.town === town)
  const counted = (values: Facets['regions'] | undefined, slug: string): string => {
    const found = values?.find((one) => one.value === slug)
    return found ? ` (${found.count})` : ''
  }
  return (
    <>
      <SelectField label={t`Région`} value={region} onValue={(region) => set({ region })}>
        <option value="">{t`Tout le Burkina`}</option>
        {regions.map((one) => (
          <option key={one.slug} value={one.slug}>
            {say(one.label)}
            {counted(facets?.regions, one.slug)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t`Ville`} value={town} onValue={(town) => set({ town })}>
        <option value="">{t`Toutes les villes`}</option>
        {near
          .toSorted((a, b) => a.name.localeCompare(b.name, 'fr'))
          .map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
              {counted(facets?.towns, one.slug)}
            </option>
          ))}
      </SelectField>
      {quarters.length > 0 && (
        <SelectField
          label={t`Quartier`}
          value={neighbourhood}
          onValue={(neighbourhood) => set({ neighbourhood })}
        >
          <option value="">{t`Tous les quartiers`}</option>
          {quarters.map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
