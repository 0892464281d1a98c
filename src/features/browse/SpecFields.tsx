import { useLingui } from '@lingui/react/macro'
import type { SpecField } from '#schema/wire/catalogue'
import { useTranslate } from '../../locales/translate.ts'
import { useSpecFields } from '../../parts/catalogue.ts'
import { Choice, Group, SelectField, TextField } from '../../ui/Field.tsx'
import { type Address, counted, crossed, type FilterProps, toggled } from './filterParams.ts'
import css from './FilterFields.module.css'

/**
 * The filterable fields of exactly one category ([S3.04] to [S3.09]); the condition has its own
 * field.
 */
export function SpecFields({ chosen, set, facets }: FilterProps) {
  return useSpecFields(chosen['category'] ?? '')
    .filter((field) => field.filterable && field.name !== 'condition' && !hidden(field, chosen))
    .map((field) => (
      <Field key={field.name} field={field} chosen={chosen} set={set} facets={facets} />
    ))
}

function hidden(field: SpecField, chosen: Address): boolean {
  return Object.entries(field.hidden_when ?? {}).some(([other, values]) => {
    const value = chosen[`spec.${other}`]
    return value !== undefined && values.includes(value)
  })
}

function Field({ field, chosen, set, facets }: FilterProps & { field: SpecField }) {
  const { t } = useLingui()
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
          const count = found.find((one) => one.value === option.value)?.count
          return (
            <Choice
              key={option.value}
              label={translate(option.label)}
              note={count}
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
    const range = (low: string, high: string): void => {
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
      options={known.map((one) => [one.value, one.label + counted(found, one.value)])}
      value={value ?? ''}
      onValue={(value) => set({ [name]: value })}
    />
  )
}

/** Two bounds, as digits. */
export function RangeFields({
  low,
  high,
  onLow,
  onHigh,
}: {
  low: string
  high: string
  onLow: (value: string) => void
  onHigh: (value: string) => void
}) {
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
