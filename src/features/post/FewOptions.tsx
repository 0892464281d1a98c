'use no memo'

import { useId } from 'react'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { classes } from '../../ui/classes.ts'
import css from './FewOptions.module.css'

/** Two or three options, all visible; a tap on the chosen one clears it unless it is required. */
export function FewOptions({
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
