import { useLingui } from '@lingui/react/macro'
import type { Sentence } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { usePlaces } from '../../parts/catalogue.ts'
import { SelectField } from '../../ui/Field.tsx'
import type { Form } from './form.ts'

type Placed = Pick<Form, 'region' | 'town' | 'neighbourhood'>

/** From the local gazetteer [S2.46]; choosing a town first sets its region. */
export function LocationChoice({
  form,
  set,
  error,
}: {
  form: Placed
  set: (place: Placed) => void
  error: Sentence | undefined
}) {
  const { t } = useLingui()
  const say = useSay()
  const places = usePlaces()
  if (!places) return null
  const { regions, towns, neighbourhoods } = places
  const { region, town, neighbourhood } = form
  const near = towns
    .filter((one) => region === '' || one.region === region)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'fr'))
  const quarters = neighbourhoods.filter((one) => one.town === town)
  const regionOf = (slug: string): string =>
    towns.find((one) => one.slug === slug)?.region ?? region
  return (
    <>
      <SelectField
        label={t`Région`}
        required
        hint={t`Obligatoire`}
        error={error}
        value={region}
        onValue={(value) => set({ region: value, town: '', neighbourhood: '' })}
      >
        <option value="">{t`Choisir une région`}</option>
        {regions.map((one) => (
          <option key={one.slug} value={one.slug}>
            {say(one.label)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Ville`}
        hint={t`Facultatif`}
        value={town}
        onValue={(value) => set({ region: regionOf(value), town: value, neighbourhood: '' })}
      >
        <option value="">{t`Choisir une ville`}</option>
        {near.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </SelectField>
      {quarters.length > 0 && (
        <SelectField
          label={t`Quartier`}
          hint={t`Facultatif`}
          value={neighbourhood}
          onValue={(value) => set({ region, town, neighbourhood: value })}
        >
          <option value="">{t`Choisir un quartier`}</option>
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
