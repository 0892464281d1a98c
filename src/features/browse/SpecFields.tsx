import { useLingui } from '@lingui/react/macro'
import type { SpecField } from '#schema/wire/catalogue'
import type { Facets } from '#schema/wire/listing'
import { useSay } from '../../locales/say.ts'
import { useSpecFields } from '../../parts/catalogue.ts'
import { Choice, Group, SelectField, TextField } from '../../ui/Field.tsx'
import { type Address, crossed, toggled } from './filterParams.ts'
import css from './FilterSheet.module.css'

interface Props {
  chosen: Address
  set: (change: Readonly<Record<string, string | null>>) => void
  facets: Facets | null
}

/**
 * The filterable fields of exactly one category ([S3.04] to [S3.09]); the condition has its own
 * field.
 */
export function SpecFields({ chosen, set, facets }: Props) {
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

function Field({ field, chosen, set, facets }: Props & { field: SpecField }) {
  const { t } = useLingui()
  const say = useSay()
  const name = `spec.${field.name}`
  const value = chosen[name]
  const label = say(field.label)
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
              label={say(option.label)}
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
    const unit = field.unit ? ` (${say(field.unit)})` : ''
    return (
      <Group legend={label + unit}>
        <div className={css.pair}>
          <TextField
            label={t`Minimum`}
            inputMode="numeric"
            value={from}
            onValue={(value) => range(value, to)}
          />
          <TextField
            label={t`Maximum`}
            inputMode="numeric"
            value={to}
            error={crossed(from, to) ? t`Le maximum est plus petit que le minimum.` : undefined}
            onValue={(value) => range(from, value)}
          />
        </div>
      </Group>
    )
  }

  if (found.length === 0 && value === undefined) return null
  return (
    <SelectField label={label} value={value ?? ''} onValue={(value) => set({ [name]: value })}>
      <option value="">{t`Tous`}</option>
      {value !== undefined && !found.some((one) => one.value === value) && (
        <option value={value}>{value}</option>
      )}
      {found.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label} ({one.count})
        </option>
      ))}
    </SelectField>
  )
}
