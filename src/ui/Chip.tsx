'use no memo' // A leaf: memoizing it costs more bytes than it saves work.

import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import css from './Chip.module.css'
import { classes } from './classes.ts'

/** A small toggle; `removable` shows a cross (name it with `aria-label`). */
export function Chip({
  pressed,
  removable,
  children,
  className,
  ...rest
}: { pressed?: boolean; removable?: boolean } & ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" aria-pressed={pressed} className={classes(css.chip, className)}>
      <span className="ellipsis">{children}</span>
      {removable === true && <X aria-hidden />}
    </button>
  )
}

export const chipRow = css.row
