'use no memo'

import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import css from './Chip.module.css'

/** A small toggle; `removable` shows a cross (name it with `aria-label`). */
export function Chip({
  pressed,
  removable,
  children,
  ...rest
}: { pressed?: boolean; removable?: boolean } & ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" aria-pressed={pressed} className={css.chip}>
      <span className="ellipsis">{children}</span>
      {removable === true && <X />}
    </button>
  )
}

export const chipRow = css.row
