import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Sentence } from '../locales/problems.ts'
import { useTranslate } from '../locales/format.ts'
import { Button, type ButtonKind } from './Button.tsx'
import { classes } from './classes.ts'
import css from './Form.module.css'
import { stillWrong, type Submitted, type Values, type Wrong } from './formErrors.ts'
import { Notice } from './Notice.tsx'

interface Rules<F extends string> {
  readonly check: (values: Values<F>) => Wrong<F>
  readonly send: (values: Values<F>) => Promise<Wrong<F>>
}

/** `state` is for `Form`, `bind` for its fields; `errors` stay until a submit. */
export function useForm<F extends string>(
  initial: Values<F>,
  { check, send }: Rules<F>,
  errors: Wrong<F> = {},
) {
  const [values, setValues] = useState(initial)
  const [submitted, setSubmitted] = useState<Submitted<F> | null>(null)
  const [busy, setBusy] = useState(false)
  const wrong = submitted === null ? errors : stillWrong(submitted, values, check)
  const bind = (name: F) => ({
    value: values[name],
    error: wrong[name],
    onValue: (value: string) => setValues((all) => ({ ...all, [name]: value })),
  })

  async function onSubmit() {
    const found = check(values)
    setSubmitted({ values, wrong: found })
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const refused = await send(values)
    setBusy(false)
    if (Object.keys(refused).length > 0) setSubmitted({ values, wrong: refused })
  }

  return { values, bind, state: { wrong, submitted, busy, onSubmit } }
}

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> {
  wrong: Readonly<Record<string, Sentence | undefined>>
  submitted?: unknown
  busy?: boolean
  disabled?: boolean
  onSubmit: () => unknown
  action?: ReactNode
  kind?: ButtonKind
  wide?: boolean
}

/** Each submit focuses the first invalid field; without `submitted`, each new `wrong`. */
export function Form({
  wrong,
  submitted = wrong,
  busy = false,
  disabled = false,
  onSubmit,
  action,
  kind = 'main',
  wide = false,
  className,
  children,
  ...rest
}: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitted])
  return (
    <form
      {...rest}
      ref={form}
      noValidate
      className={classes(css.form, className)}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FormError error={wrong['all']} />
      {children}
      {action !== undefined && (
        <Button kind={kind} type="submit" wide={wide} busy={busy} disabled={busy || disabled}>
          {action}
        </Button>
      )}
    </form>
  )
}

export function FormError({ error }: { error: Sentence | undefined }) {
  const translate = useTranslate()
  return (
    error !== undefined && (
      <Notice tone="danger" live="alert">
        {translate(error)}
      </Notice>
    )
  )
}
