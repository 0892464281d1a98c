import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import css from './Part.module.css'

/** A part of the page below the contact. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** What is folded on a phone if `folds`; `more` and `className` are for the button that unfolds it. */
export function Fold({
  folds,
  more,
  className,
  children,
}: {
  folds: boolean
  more: string
  className: string | undefined
  children: (folded: boolean) => ReactNode
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      {children(folds && !open)}
      {folds && (
        <Button
          kind="quiet"
          aria-expanded={open}
          className={className}
          onClick={() => setOpen(!open)}
        >
          {open ? t`Réduire` : more}
        </Button>
      )}
    </>
  )
}
