'use no memo'

import type { ChangeEvent } from 'react'
import { commandId } from '../../data/send.ts'
import type { Icon } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import css from './PhotoList.module.css'
import type { Incoming } from './usePhotos.ts'

interface Props {
  label: string
  icon: Icon
  several?: boolean
  camera?: boolean
  className?: string | undefined
  /** The browser asks for a file; the input must stay until it has one. */
  onAsk?: (() => void) | undefined
  onChoose: (coming: readonly Incoming[]) => void
}

export function FileChoice({
  label,
  icon: Sign,
  several = false,
  camera = false,
  className,
  onAsk,
  onChoose,
}: Props) {
  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = [...(target.files ?? [])].map((file) => ({
      id: commandId(),
      name: file.name,
      file,
    }))
    // Allows choosing the same file again after removing it.
    target.value = ''
    if (chosen.length > 0) onChoose(chosen)
  }

  return (
    <label className={classes(css.add, className)}>
      <Sign />
      <span>{label}</span>
      <input
        type="file"
        multiple={several}
        accept="image/*"
        {...(camera && { capture: 'environment' })}
        className="unseen"
        onClick={onAsk}
        onChange={choose}
      />
    </label>
  )
}
