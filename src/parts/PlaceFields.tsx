import { useLingui } from '@lingui/react/macro'
import type { Sentence } from '../locales/problems.ts'
import { useTranslate } from '../locales/format.ts'
import { SelectField } from '../ui/Field.tsx'
import { usePlaces } from './catalogue.ts'

interface Place {
  region: string
  town: string
  neighbourhood: string
}

interface Props {
  place: Place
  /** The labels of no region, no town and no neighbourhood. */
  none: readonly [string, string, string]
  /** Whether there must be a region: a town chosen first sets its own. */
  required?: boolean
  error?: Sentence | undefined
  counted?: (list: 'regions' | 'towns', slug: string) => string
  onPlace: (place: Place) => void
}

export function PlaceFields({
  place: { region, town, neighbourhood },
  none,
  required = false,
  error,
  counted = () => '',
  onPlace,
}: Props) {
  const { t } = useLingui()
  const translate = useTranslate()
  const places = usePlaces()
  if (!places) return null
  const towns = places.towns
    .filter((one) => region === '' || one.region === region)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'fr'))
  const quarters = places.neighbourhoods.filter((one) => one.town === town)
  const optional = required ? t`Facultatif` : undefined

  function chooseTown(slug: string) {
    const own = required && towns.find((one) => one.slug === slug)
    onPlace({ region: own ? own.region : region, town: slug, neighbourhood: '' })
  }

  return (
    <>
      <SelectField
        label={t`Région`}
        required={required}
        error={error}
        none={none[0]}
        options={places.regions.map(({ slug, label }) => [
          slug,
          translate(label) + counted('regions', slug),
        ])}
        value={region}
        onValue={(region) => onPlace({ region, town: '', neighbourhood: '' })}
      />
      <SelectField
        label={t`Ville`}
        hint={optional}
        none={none[1]}
        options={towns.map(({ slug, name }) => [slug, name + counted('towns', slug)])}
        value={town}
        onValue={chooseTown}
      />
      {quarters.length > 0 && (
        <SelectField
          label={t`Quartier`}
          hint={optional}
          none={none[2]}
          options={quarters.map(({ slug, name }) => [slug, name])}
          value={neighbourhood}
          onValue={(neighbourhood) => onPlace({ region, town, neighbourhood })}
        />
      )}
    </>
  )
}
