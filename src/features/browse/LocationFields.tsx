import { useLingui } from '@lingui/react/macro'
import { useSay } from '../../locales/say.ts'
import { nearby, usePlaces } from '../../parts/catalogue.ts'
import { SelectField } from '../../ui/Field.tsx'
import { counted, type FilterProps } from './filterParams.ts'

/** [S2.46], from the local gazetteer. */
export function LocationFields({ chosen, set, facets }: FilterProps) {
  const { t } = useLingui()
  const say = useSay()
  const places = usePlaces()
  if (!places) return null
  const { region = '', town = '', neighbourhood = '' } = chosen
  const { towns, quarters } = nearby(places, region, town)
  return (
    <>
      <SelectField
        label={t`Région`}
        none={t`Tout le Burkina`}
        options={places.regions.map(({ slug, label }) => [
          slug,
          say(label) + counted(facets?.regions, slug),
        ])}
        value={region}
        onValue={(region) => set({ region })}
      />
      <SelectField
        label={t`Ville`}
        none={t`Toutes les villes`}
        options={towns.map(([slug, name]) => [slug, name + counted(facets?.towns, slug)])}
        value={town}
        onValue={(town) => set({ town })}
      />
      {quarters.length > 0 && (
        <SelectField
          label={t`Quartier`}
          none={t`Tous les quartiers`}
          options={quarters}
          value={neighbourhood}
          onValue={(neighbourhood) => set({ neighbourhood })}
        />
      )}
    </>
  )
}
