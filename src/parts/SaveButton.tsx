'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Heart } from 'lucide-react'
import { useLiveValue } from '../data/read.ts'
import { send } from '../data/ask.ts'
import { classes } from '../ui/classes.ts'
import { wantsLessMovement } from '../ui/vibrate.ts'
import css from './SaveButton.module.css'

const POP_MS = 150

/** [S13.01] Works signed out and offline [S2.13]. */
export function SaveButton({
  listing,
  className,
}: {
  listing: string
  className?: string | undefined
}) {
  const { t } = useLingui()
  const saved = useLiveValue('saved.ids', {}, ({ facts }) => facts?.ids.includes(listing) ?? false)
  return (
    <button
      type="button"
      aria-label={t`Enregistrer`}
      aria-pressed={saved}
      className={classes(css.heart, className)}
      onClick={({ currentTarget }) => {
        // By CSS, the hearts of a list would move when it appears.
        if (!saved && !wantsLessMovement())
          currentTarget.animate({ scale: ['0.7', '1.2', '1'] }, POP_MS)
        void send('listing.save', { listing, saved: !saved })
      }}
    >
      <Heart />
    </button>
  )
}
