import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Sentence } from '../locales/problems.ts'
import { useSay } from '../locales/say.ts'
import { classes } from './classes.ts'
import css from './Form.module.css'
import { Notice } from './Notice.tsx'

type Wrong<F extends string> = Partial<Readonly<Record<F | 'all', Sentence>>>

export function useFields<F extends string>(
  initial: Readonly<Record<F, string>>,
  errors: Wrong<F> = {},
) {
  const [values, setValues] = useState(initial)
  const [wrong, setWrong] = useState(errors)
  const bind = (name: F) => ({
    value: values[name],
    error: wrong[name],
    onValue: (value: string) => setValues((all) => ({ ...all, [name]: value })),
  })
  return { values, bind, wrong, setWrong }
}

/** A new `wrong` focuses the first invalid field. */
export function Form({
  wrong,
  onSubmit,
  className,
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  wrong: Readonly<Record<string, Sentence | undefined>>
  onSubmit: () => unknown
}) {
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
    </form>
  )
}

/** The error of a whole form; renders nothing without one. */
export function FormError({ error }: { error: Sentence | undefined }) {
  const say = useSay()
  return (
    error !== undefined && (
      <Notice tone="danger" live="alert">
        {say(error)}
      </Notice>
    )
  )
}
