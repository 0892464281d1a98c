import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { isHidden } from '#schema/spec'
import type { SpecField } from '#schema/wire/catalogue'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Choice, SelectField, TextField } from '../../ui/Field.tsx'
import type { StepProps } from './check.ts'

/** ([S3.04] to [S3.11]), without those that another answer hides. */
export function SpecsStep({ form, set, wrong, asked }: StepProps) {
  return (asked?.fields ?? [])
    .filter((field) => !isHidden(field, form.specs))
    .map((field) => (
      <SpecInput
        key={field.name}
        field={field}
        value={form.specs[field.name] ?? ''}
        error={wrong[`specs.${field.name}`]}
        write={(value) => set({ specs: { ...form.specs, [field.name]: value } })}
      />
    ))
}

function SpecInput({
  field,
  value,
  error,
  write,
}: {
  field: SpecField
  value: string
  error: Sentence | undefined
  write: (value: string) => void
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const list = useId()
  const label = translate(field.label) + (field.unit ? ` (${translate(field.unit)})` : '')
  const example = field.examples[0]
  const hint = [
    field.required ? t`Obligatoire` : t`Facultatif`,
    example === undefined ? '' : t`par exemple ${example}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

  if (field.type === 'boolean')
    return (
      <Choice
        label={label}
        checked={value === 'true'}
        onChecked={(checked) => write(checked ? 'true' : '')}
      />
    )
  if (field.type === 'enum') {
    const options = field.options ?? []
    // A value from another category's field of the same name may not be an option here.
    const fits = options.some((option) => option.value === value)
    return (
      <SelectField
        label={label}
        hint={hint}
        required={field.required}
        error={error}
        none={t`Choisir`}
        options={options.map((option) => [option.value, translate(option.label)])}
        value={fits ? value : ''}
        onValue={write}
      />
    )
  }
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        required={field.required}
        error={error}
        dir="auto"
        inputMode={field.type === 'integer' ? 'numeric' : 'text'}
        autoComplete="off"
        enterKeyHint="next"
        list={field.suggestions.length > 0 ? list : undefined}
        value={value}
        onValue={write}
      />
      {field.suggestions.length > 0 && (
        <datalist id={list}>
          {field.suggestions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
    </>
  )
}
