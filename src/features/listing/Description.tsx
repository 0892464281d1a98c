import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './Description.module.css'
import { isLong } from './longText.ts'

export function Description({
  text,
  className,
}: {
  text: string | undefined
  className?: string | undefined
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const folds = text !== undefined && isLong(text)
  return (
    <section className={className} aria-label={t`Description`}>
      <h2>{t`Description`}</h2>
      {text === undefined ? (
        <Skeleton shape="block" />
      ) : (
        <p dir="auto" className={classes(css.text, folds && !open && css.folded)}>
          {text}
        </p>
      )}
      {folds && (
        <Button
          kind="quiet"
          aria-expanded={open}
          className={css.more}
          onClick={() => setOpen(!open)}
        >
          {open ? t`Réduire` : t`Lire la suite`}
        </Button>
      )}
    </section>
  )
}
