import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Sentence } from '../locales/problems.ts'
import { useTranslate } from '../locales/translate.ts'
import { Button, type ButtonKind } from './Button.tsx'
import { classes } from './classes.ts'
import css from './Form.module.css'
import { Notice } from './Notice.tsx'

/** Per field, and `all` for the whole form; empty: nothing is wrong. */
type Wrong<F extends string> = Partial<Readonly<Record<F | 'all', Sentence>>>

interface Rules<F extends string> {
  readonly check: (values: Readonly<Record<F, string>>) => Wrong<F>
  /** Called without errors; its own are shown. */
  readonly send: (values: Readonly<Record<F, string>>) => Promise<Wrong<F>>
}

/** `state` is for `Form`, `bind` for its fields. */
export function useForm<F extends string>(
  initial: Readonly<Record<F, string>>,
  { check, send }: Rules<F>,
  errors: Wrong<F> = {},
) {
  const [values, setValues] = useState(initial)
  const [wrong, setWrong] = useState(errors)
  const [busy, setBusy] = useState(false)
  const bind = (name: F) => ({
    value: values[name],
    error: wrong[name],
    onValue: (value: string) => setValues((all) => ({ ...all, [name]: value })),
  })

  async function onSubmit(): Promise<void> {
    const seen = check(values)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setBusy(true)
    const refused = await send(values)
    setBusy(false)
    if (Object.keys(refused).length > 0) setWrong(refused)
  }

  return { values, bind, state: { wrong, busy, onSubmit } }
}

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> {
  wrong: Readonly<Record<string, Sentence | undefined>>
  busy?: boolean
  onSubmit: () => unknown
  /** The label of the button at the end; without it, the children contain one. */
  action?: ReactNode
  kind?: ButtonKind
  wide?: boolean
}

/** A new `wrong` focuses the first invalid field. */
export function Form({
  wrong,
  busy = false,
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
    if (Object.keys(wrong).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [wrong])
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
        <Button kind={kind} type="submit" wide={wide} busy={busy}>
          {action}
        </Button>
      )}
    </form>
  )
}

/** The error of a whole form; renders nothing without one. */
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
