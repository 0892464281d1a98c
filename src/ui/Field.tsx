import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from 'react'
import type { Sentence } from '../locales/problems.ts'
import { useTranslate } from '../locales/format.ts'
import css from './Field.module.css'
import { classes } from './classes.ts'

interface Around {
  label: string
  hint?: string | undefined
  error?: Sentence | undefined
}

interface Valued {
  onValue?: (value: string) => void
}

interface Checked {
  onChecked?: (checked: boolean) => void
}

const byValue = (onValue: Valued['onValue']) =>
  onValue && {
    onChange: ({ target }: ChangeEvent<{ value: string }>) => onValue(target.value),
  }

const byChecked = (onChecked: Checked['onChecked']) =>
  onChecked && {
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChecked(target.checked),
  }

interface Wiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

function Frame({
  label,
  hint,
  error,
  required,
  counter,
  children,
}: Around & {
  required?: boolean | undefined
  counter?: ReactNode
  children: (wiring: Wiring) => ReactNode
}) {
  const id = useId()
  const translate = useTranslate()
  const below = translate(error) ?? hint
  const wiring: Wiring = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': below ? `${id}-below` : undefined,
  }
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
        {required === true && <span aria-hidden="true"> *</span>}
      </label>
      {children(wiring)}
      <div className={css.foot}>
        <p id={`${id}-below`} className={classes(css.hint, Boolean(error) && css.error)}>
          {below}
        </p>
        {counter}
      </div>
    </div>
  )
}

/** [DESIGN 4]. `end` renders inside the box, at its end. */
export function TextField({
  label,
  hint,
  error,
  end,
  className,
  onValue,
  ...input
}: Around & Valued & { end?: ReactNode } & ComponentProps<'input'>) {
  return (
    <Frame label={label} hint={hint} error={error} required={input.required}>
      {(wiring) => (
        <span className={css.box}>
          <input
            {...input}
            {...byValue(onValue)}
            {...wiring}
            className={classes(css.input, className)}
          />
          {end}
        </span>
      )}
    </Frame>
  )
}

/** `counter`: the maximum, shown with the current length [S5.04]. */
export function TextArea({
  label,
  hint,
  error,
  counter,
  className,
  onValue,
  ...input
}: Around & Valued & { counter?: number } & ComponentProps<'textarea'>) {
  // Code points, as the server counts [D44].
  const used = typeof input.value === 'string' ? Array.from(input.value).length : 0
  return (
    <Frame
      label={label}
      hint={hint}
      error={error}
      required={input.required}
      counter={
        counter !== undefined && (
          <span
            className={classes(css.hint, used > counter && css.error)}
          >{`${used}/${counter}`}</span>
        )
      }
    >
      {(wiring) => (
        <textarea
          rows={5}
          {...input}
          {...byValue(onValue)}
          {...wiring}
          className={classes(css.input, css.area, className)}
        />
      )}
    </Frame>
  )
}

export function SelectField({
  label,
  hint,
  error,
  none,
  options,
  onValue,
  ...input
}: Around &
  Valued & {
    none: string
    options: readonly (readonly [string, string])[]
  } & ComponentProps<'select'>) {
  return (
    <Frame label={label} hint={hint} error={error} required={input.required}>
      {(wiring) => (
        <select
          {...input}
          {...byValue(onValue)}
          {...wiring}
          className={classes(css.input, css.select)}
        >
          <option value="">{none}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}

export function Choice({
  label,
  note,
  type = 'checkbox',
  className,
  onChecked,
  ...input
}: Checked & {
  label: ReactNode
  note?: ReactNode
  type?: 'checkbox' | 'radio'
} & ComponentProps<'input'>) {
  return (
    <label className={classes(css.choice, className)}>
      <input {...input} {...byChecked(onChecked)} type={type} className={css.mark} />
      <span className={css.choiceText}>{label}</span>
      {note !== undefined && <span className={css.note}>{note}</span>}
    </label>
  )
}

export function Switch({
  label,
  hint,
  onChecked,
  ...input
}: Checked & { label: string; hint?: string } & ComponentProps<'input'>) {
  return (
    <label className={css.switch}>
      <span>
        {label}
        {hint !== undefined && <span className={css.switchHint}>{hint}</span>}
      </span>
      <input
        {...input}
        {...byChecked(onChecked)}
        type="checkbox"
        role="switch"
        className={css.toggle}
      />
    </label>
  )
}

export function Group({
  legend,
  error,
  children,
  className,
}: Pick<Around, 'error'> & {
  legend: string
  children: ReactNode
  className?: string | undefined
}) {
  const translate = useTranslate()
  return (
    <fieldset className={classes('column', className)}>
      <legend className={css.legend}>{legend}</legend>
      {children}
      {error && (
        <p role="alert" className={classes(css.hint, css.error)}>
          {translate(error)}
        </p>
      )}
    </fieldset>
  )
}

export function RadioGroup<T extends string | number>({
  name,
  value,
  options,
  onValue,
  ...group
}: Omit<ComponentProps<typeof Group>, 'children'> & {
  name: string
  value: T | undefined
  options: readonly (readonly [T, string])[]
  onValue: (value: T) => void
}) {
  return (
    <Group {...group}>
      {options.map(([option, label]) => (
        <Choice
          key={option}
          type="radio"
          name={name}
          label={label}
          checked={value === option}
          onChange={() => onValue(option)}
        />
      ))}
    </Group>
  )
}
