import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { categories } from '../../parts/categories.ts'
import { PlaceFields } from '../../parts/PlaceFields.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Choice, Group, SelectField, TextField } from '../../ui/Field.tsx'
import {
  type Address,
  counted,
  crossed,
  type FilterProps,
  priceSteps,
  toggled,
} from './filterParams.ts'
import css from './FilterFields.module.css'
import { useFilterLabels } from './filterLabels.ts'
import type { SpecField } from '#schema/wire/catalogue'
import { useSpecFields } from '../../parts/catalogue.ts'

const TOWNS = 4

export function FilterFields(props: FilterProps) {
  const { chosen, set, facets } = props
  const { t } = useLingui()
  const format = useFormat()
  const translate = useTranslate()
  const labelOf = useFilterLabels(chosen['category'])
  const { region = '', town = '', neighbourhood = '' } = chosen
  const towns = facets?.towns.slice(0, TOWNS) ?? []
  return (
    <div className={css.fields}>
      <SelectField
        label={t`Catégorie`}
        none={t`Toutes les catégories`}
        options={categories.map(({ slug, name }) => [
          slug,
          translate(name) + counted(format, facets?.categories, slug),
        ])}
        value={chosen['category'] ?? ''}
        onValue={(category) => set({ category })}
      />
      <PriceFields {...props} />
      {facets !== null && facets.conditions.length > 0 && (
        <Group legend={t`État`}>
          <div className={css.chips}>
            {facets.conditions.map((one) => (
              <Choice
                key={one.value}
                className={css.pick}
                label={labelOf('condition', one.value)}
                note={format.countText(one.count, one.count_is_exact)}
                checked={chosen['condition']?.split(',').includes(one.value) ?? false}
                onChange={() => set({ condition: toggled(chosen['condition'], one.value) })}
              />
            ))}
          </div>
        </Group>
      )}
      <Group legend={t`Lieu`} className={css.place}>
        <Chips
          options={towns.map((one) => [
            one.value,
            `${one.label} (${format.countText(one.count, one.count_is_exact)})`,
          ])}
          chosen={town}
          onChoose={(town) => set({ town })}
        />
        <PlaceFields
          place={{ region, town, neighbourhood }}
          none={[t`Tout le Burkina`, t`Toutes les villes`, t`Tous les quartiers`]}
          counted={(list, slug) => counted(format, facets?.[list], slug)}
          onPlace={(place) => set({ ...place })}
        />
      </Group>
      <SpecFields {...props} />
      <Group legend={t`Autres`}>
        {['has_images', 'negotiable', 'verified_seller'].map((name) => (
          <Choice
            key={name}
            label={labelOf(name, 'true')}
            checked={chosen[name] === 'true'}
            onChecked={(checked) => set({ [name]: checked ? 'true' : null })}
          />
        ))}
      </Group>
      <SelectField
        label={t`Publiée`}
        none={t`À tout moment`}
        options={[
          ['1', t`Depuis 24 heures`],
          ['7', t`Depuis 7 jours`],
          ['30', t`Depuis 30 jours`],
        ]}
        value={chosen['posted_within'] ?? ''}
        onValue={(posted_within) => set({ posted_within })}
      />
    </div>
  )
}

function PriceFields({ chosen, set, facets }: FilterProps) {
  const { t } = useLingui()
  const digits = (text: string) => text.replace(/\D/g, '').slice(0, 10)
  const { number } = useFormat()
  const steps = priceSteps(facets?.price.buckets ?? [])
  return (
    <Group legend={t`Prix (F CFA)`}>
      <Chips
        options={steps.map((price) => [String(price), t`≤ ${number(price)}`])}
        chosen={chosen['price_max']}
        onChoose={(price) => set({ price_min: null, price_max: price })}
      />
      <RangeFields
        low={chosen['price_min'] ?? ''}
        high={chosen['price_max'] ?? ''}
        onLow={(low) => set({ price_min: digits(low) })}
        onHigh={(high) => set({ price_max: digits(high) })}
      />
    </Group>
  )
}

/** A tap on the chosen one clears it. */
function Chips({
  options,
  chosen,
  onChoose,
}: Pick<ComponentProps<typeof SelectField>, 'options'> & {
  chosen: string | undefined
  onChoose: (value: string | null) => void
}) {
  if (options.length === 0) return null
  return (
    <div className={css.chips}>
      {options.map(([value, label]) => (
        <Chip
          key={value}
          pressed={chosen === value}
          onClick={() => onChoose(chosen === value ? null : value)}
        >
          {label}
        </Chip>
      ))}
    </div>
  )
}

/** [S3.04] to [S3.09]; the condition has its own field. */
function SpecFields(props: FilterProps) {
  const { chosen } = props
  return useSpecFields(chosen['category'] ?? '')
    .filter((field) => field.filterable && field.name !== 'condition' && !hidden(field, chosen))
    .map((field) => <Field key={field.name} {...props} field={field} />)
}

function hidden(field: SpecField, chosen: Address) {
  return Object.entries(field.hidden_when ?? {}).some(([other, values]) => {
    const value = chosen[`spec.${other}`]
    return value !== undefined && values.includes(value)
  })
}

function Field({ field, chosen, set, facets }: FilterProps & { field: SpecField }) {
  const { t } = useLingui()
  const format = useFormat()
  const translate = useTranslate()
  const name = `spec.${field.name}`
  const value = chosen[name]
  const label = translate(field.label)
  const found = facets?.specs[field.name] ?? []

  if (field.type === 'boolean')
    return (
      <Choice
        label={label}
        checked={value === 'true'}
        onChecked={(checked) => set({ [name]: checked ? 'true' : null })}
      />
    )

  if (field.type === 'enum') {
    return (
      <Group legend={label}>
        {(field.options ?? []).map((option) => {
          const one = found.find((other) => other.value === option.value)
          return (
            <Choice
              key={option.value}
              label={translate(option.label)}
              note={one && format.countText(one.count, one.count_is_exact)}
              checked={value?.split(',').includes(option.value) ?? false}
              onChange={() => set({ [name]: toggled(value, option.value) })}
            />
          )
        })}
      </Group>
    )
  }

  if (field.type === 'integer') {
    const [from = '', to = ''] = (value ?? '').split('..')
    const range = (low: string, high: string) => {
      const [min, max] = [low.replace(/\D/g, ''), high.replace(/\D/g, '')]
      set({ [name]: min === '' && max === '' ? null : `${min}..${max}` })
    }
    const unit = field.unit ? ` (${translate(field.unit)})` : ''
    return (
      <Group legend={label + unit}>
        <RangeFields
          low={from}
          high={to}
          onLow={(low) => range(low, to)}
          onHigh={(high) => range(from, high)}
        />
      </Group>
    )
  }

  if (found.length === 0 && value === undefined) return null
  const missing = value !== undefined && !found.some((one) => one.value === value)
  const known = missing ? [{ value, label: value }, ...found] : found
  return (
    <SelectField
      label={label}
      none={t`Tous`}
      options={known.map((one) => [one.value, one.label + counted(format, found, one.value)])}
      value={value ?? ''}
      onValue={(value) => set({ [name]: value })}
    />
  )
}

function RangeFields({
  low,
  high,
  onLow,
  onHigh,
}: Record<'low' | 'high', string> & Record<'onLow' | 'onHigh', (value: string) => void>) {
  const { t } = useLingui()
  return (
    <div className={css.pair}>
      <TextField label={t`Minimum`} inputMode="numeric" value={low} onValue={onLow} />
      <TextField
        label={t`Maximum`}
        inputMode="numeric"
        value={high}
        error={crossed(low, high) ? t`Le maximum est plus petit que le minimum.` : undefined}
        onValue={onHigh}
      />
    </div>
  )
}
