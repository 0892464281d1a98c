'use no memo'

import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { isHidden } from '#schema/spec'
import type { SpecField } from '#schema/wire/catalogue'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Choice, SelectField, TextField } from '../../ui/Field.tsx'
import type { StepProps } from './form.ts'
import css from './CreateListingScreen.module.css'
import { classes } from '../../ui/classes.ts'

/** [S3.04] to [S3.11]. */
export function SpecsStep({ form, set, wrong, asked }: StepProps) {
  return (asked?.fields ?? [])
    .filter((field) => !isHidden(field, form.specs))
    .map((field) => (
      <div
        key={field.name}
        className={form.proposed.includes(field.name) ? css.proposed : undefined}
      >
        <SpecInput
          field={field}
          value={form.specs[field.name] ?? ''}
          proposed={form.proposed.includes(field.name)}
          suggestions={[
            ...field.suggestions,
            ...(field.suggestions_by?.values[form.specs[field.suggestions_by.field] ?? ''] ?? []),
          ]}
          error={wrong[`specs.${field.name}`]}
          write={(value) =>
            set({
              specs: { ...form.specs, [field.name]: value },
              proposed: form.proposed.filter((name) => name !== field.name),
            })
          }
        />
      </div>
    ))
}

const FEW = 3

function SpecInput({
  field,
  value,
  proposed,
  suggestions,
  error,
  write,
}: {
  field: SpecField
  value: string
  proposed: boolean
  suggestions: readonly string[]
  error: Sentence | undefined
  write: (value: string) => void
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const list = useId()
  const label = translate(field.label) + (field.unit ? ` (${translate(field.unit)})` : '')
  const example = field.examples[0]
  const hint = proposed
    ? t`Proposé d’après le titre`
    : [field.required ? '' : t`Facultatif`, example === undefined ? '' : t`par exemple ${example}`]
        .filter((part) => part !== '')
        .join(', ')

  if (field.type === 'boolean')
    return (
      <Choice
        label={label}
        {...(proposed && { note: t`Proposé d’après le titre` })}
        checked={value === 'true'}
        onChecked={(checked) => write(checked ? 'true' : '')}
      />
    )
  if (field.type === 'enum') {
    const options = (field.options ?? []).map(
      (option) => [option.value, translate(option.label)] as const,
    )
    // Another category's value may not be an option here.
    const shown = options.some(([option]) => option === value) ? value : ''
    return options.length <= FEW ? (
      <FewOptions
        label={label}
        hint={hint}
        required={field.required}
        error={error}
        options={options}
        value={shown}
        onValue={write}
      />
    ) : (
      <SelectField
        label={label}
        hint={hint}
        required={field.required}
        error={error}
        none={t`Choisir`}
        options={options}
        value={shown}
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
        list={suggestions.length > 0 ? list : undefined}
        value={value}
        onValue={write}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** A tap on the chosen one clears it unless it is required. */
function FewOptions({
  label,
  hint,
  required,
  error,
  options,
  value,
  onValue,
}: {
  label: string
  hint: string
  required: boolean
  error: Sentence | undefined
  options: readonly (readonly [string, string])[]
  value: string
  onValue: (value: string) => void
}) {
  const translate = useTranslate()
  const id = useId()
  /** The form focuses the first invalid input. */
  const invalid = error && { 'aria-invalid': true }
  const below = translate(error) ?? hint
  return (
    <fieldset
      className={css.field}
      aria-describedby={below === '' ? undefined : `${id}-below`}
      aria-required={required}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
    >
      <legend id={`${id}-label`} className={css.label}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      <div className={css.options}>
        {options.map(([option, text]) => (
          <label key={option} className={css.option}>
            <input
              type="radio"
              name={id}
              {...invalid}
              checked={value === option}
              className={css.radio}
              onChange={() => onValue(option)}
              onClick={() => {
                if (value === option && !required) onValue('')
              }}
            />
            {text}
          </label>
        ))}
      </div>
      {below !== '' && (
        <p id={`${id}-below`} className={classes(css.hint, Boolean(error) && css.error)}>
          {below}
        </p>
      )}
    </fieldset>
  )
}
