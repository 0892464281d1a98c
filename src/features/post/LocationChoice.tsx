import { useLingui } from '@lingui/react/macro'
import type { Sentence } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { nearby, usePlaces } from '../../parts/catalogue.ts'
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
  const { region, town, neighbourhood } = form
  const { towns, quarters } = nearby(places, region, town)
  const regionOf = (slug: string): string =>
    places.towns.find((one) => one.slug === slug)?.region ?? region
  return (
    <>
      <SelectField
        label={t`Région`}
        required
        hint={t`Obligatoire`}
        error={error}
        none={t`Choisir une région`}
        options={places.regions.map(({ slug, label }) => [slug, say(label)])}
        value={region}
        onValue={(value) => set({ region: value, town: '', neighbourhood: '' })}
      />
      <SelectField
        label={t`Ville`}
        hint={t`Facultatif`}
        none={t`Choisir une ville`}
        options={towns}
        value={town}
        onValue={(value) => set({ region: regionOf(value), town: value, neighbourhood: '' })}
      />
      {quarters.length > 0 && (
        <SelectField
          label={t`Quartier`}
          hint={t`Facultatif`}
          none={t`Choisir un quartier`}
          options={quarters}
          value={neighbourhood}
          onValue={(value) => set({ region, town, neighbourhood: value })}
        />
      )}
    </>
  )
}
