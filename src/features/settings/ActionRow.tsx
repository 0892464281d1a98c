import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from '../../ui/classes.ts'
import css from './ActionRow.module.css'

export function ActionRow({
  children,
  danger = false,
  ...rest
}: ComponentProps<'button'> & { danger?: boolean }) {
  return (
    <button {...rest} type="button" className={classes(css.row, danger && css.danger)}>
      <span className={css.name}>{children}</span>
      <ChevronRight />
    </button>
  )
}

export function LinkRow({ children, ...rest }: LinkProps & { children: string }) {
  return (
    <Link {...rest} className={css.row}>
      <span className={css.name}>{children}</span>
      <ChevronRight />
    </Link>
  )
}
