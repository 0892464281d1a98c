'use no memo'

import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ComponentType } from 'react'
import css from './Button.module.css'
import { classes } from './classes.ts'

/** `main`: the one main action of a screen · `quiet`: text only · `danger`: deletes, refuses. */
export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger'
export type Icon = ComponentType<{ className?: string | undefined }>

interface Look {
  kind?: ButtonKind | undefined
  icon?: Icon
  wide?: boolean | undefined
  className?: string | undefined
}

const look = ({ kind = 'plain', wide = false, className }: Look) =>
  classes(css.button, css[kind], wide && css.wide, className)

export function Button({
  kind,
  icon: Sign,
  wide,
  busy,
  children,
  className,
  type = 'button',
  ...rest
}: Look & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...(busy !== undefined && { disabled: busy, 'aria-busy': busy })}
      {...rest}
      type={type}
      className={look({ kind, wide, className })}
    >
      {Sign && <Sign />}
      {children}
    </button>
  )
}

export function ButtonAnchor({
  kind,
  icon: Sign,
  wide,
  children,
  className,
  ...rest
}: Look & ComponentProps<'a'>) {
  return (
    <a {...rest} className={look({ kind, wide, className })}>
      {Sign && <Sign />}
      {children}
    </a>
  )
}

export const ButtonLink = createLink(ButtonAnchor)

/** 44 px; `label` is its accessible name. */
export function IconButton({
  label,
  icon: Sign,
  className,
  type = 'button',
  ...rest
}: { label: string; icon: Icon } & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classes(css.icon, className)}
    >
      <Sign />
    </button>
  )
}
