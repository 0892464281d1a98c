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

/** One of several; `row`: the class of the row. */
export function ChipChoice<T extends string>({
  label,
  options,
  value,
  onValue,
  row = chipRow,
}: {
  label: string
  options: readonly (readonly [T, string])[]
  value: T
  onValue: (value: T) => void
  row?: string | undefined
}) {
  return (
    <div className={row} role="group" aria-label={label}>
      {options.map(([option, name]) => (
        <Chip key={option} pressed={option === value} onClick={() => onValue(option)}>
          {name}
        </Chip>
      ))}
    </div>
  )
}
