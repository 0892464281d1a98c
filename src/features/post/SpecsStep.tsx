'use no memo'

import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, useId } from 'react'
import { isHidden } from '#schema/spec'
import type { SpecField } from '#schema/wire/catalogue'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { classes } from '../../ui/classes.ts'
import { Choice, SelectField, TextField } from '../../ui/Field.tsx'
import around from '../../ui/Field.module.css'
import css from './CreateListingScreen.module.css'
import type { StepProps } from './form.ts'

/** [S3.04] to [S3.11]. */
export function SpecsStep(props: StepProps) {
  const { form, asked } = props
  return (asked?.fields ?? [])
    .filter((field) => !isHidden(field, form.specs))
    .map((field) => (
      <div
        key={field.name}
        className={form.proposed.includes(field.name) ? css.proposed : undefined}
      >
        <SpecInput {...props} field={field} />
      </div>
    ))
}

const FEW_OPTIONS = 3

function SpecInput({ field, form, set, wrong }: StepProps & { field: SpecField }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const list = useId()
  const { name, type, suggestions_by: by } = field
  const value = form.specs[name] ?? ''
  const label = translate(field.label) + (field.unit ? ` (${translate(field.unit)})` : '')
  const example = field.examples[0]
  const proposed = form.proposed.includes(name) ? t`Proposé d’après le titre` : undefined
  const usual = [
    field.required ? '' : t`Facultatif`,
    example === undefined ? '' : t`par exemple ${example}`,
  ].filter((part) => part !== '')
  const asked = {
    label,
    hint: proposed ?? usual.join(', '),
    required: field.required,
    error: wrong[`specs.${name}`],
    onValue: write,
  }

  function write(value: string) {
    set({
      specs: { ...form.specs, [name]: value },
      proposed: form.proposed.filter((other) => other !== name),
    })
  }

  if (type === 'boolean')
    return (
      <Choice
        label={label}
        note={proposed}
        checked={value === 'true'}
        onChecked={(checked) => write(checked ? 'true' : '')}
      />
    )
  if (type === 'enum') {
    const options = (field.options ?? []).map(
      (option) => [option.value, translate(option.label)] as const,
    )
    // Another category's value may not be an option here.
    const shown = options.some(([option]) => option === value) ? value : ''
    return options.length <= FEW_OPTIONS ? (
      <FewOptions {...asked} options={options} value={shown} />
    ) : (
      <SelectField {...asked} none={t`Choisir`} options={options} value={shown} />
    )
  }
  const suggestions = [...field.suggestions, ...(by?.values[form.specs[by.field] ?? ''] ?? [])]
  return (
    <>
      <TextField
        {...asked}
        dir="auto"
        inputMode={type === 'integer' ? 'numeric' : 'text'}
        autoComplete="off"
        enterKeyHint="next"
        list={suggestions.length > 0 ? list : undefined}
        value={value}
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
}: Pick<ComponentProps<typeof SelectField>, 'label' | 'options'> & {
  hint: string
  required: boolean
  error: Sentence | undefined
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
      className={around.field}
      aria-describedby={below === '' ? undefined : `${id}-below`}
      aria-required={required}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
    >
      <legend id={`${id}-label`} className={classes(around.label, css.legend)}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      <div className="row">
        {options.map(([option, text]) => (
          <label key={option} className={css.option}>
            <input
              type="radio"
              name={id}
              {...invalid}
              checked={value === option}
              className="covering"
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
        <p id={`${id}-below`} className={classes(around.hint, Boolean(error) && around.error)}>
          {below}
        </p>
      )}
    </fieldset>
  )
}
