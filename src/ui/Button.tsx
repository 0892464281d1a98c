'use no memo'

import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import css from './Button.module.css'
import { classes } from './classes.ts'

/** `main`: the one main action of a screen · `quiet`: text only · `danger`: deletes, refuses. */
export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger'
export type Icon = ComponentType<{ className?: string | undefined }>

interface Look {
  kind?: ButtonKind
  icon?: Icon
  wide?: boolean
  children?: ReactNode
}

export function Button({
  kind = 'plain',
  icon,
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
      className={classes(css.button, css[kind], wide === true && css.wide, className)}
    >
      <Inside icon={icon}>{children}</Inside>
    </button>
  )
}

function Anchor({
  kind = 'plain',
  icon,
  wide,
  children,
  className,
  ...rest
}: Look & ComponentProps<'a'>) {
  return (
    <a {...rest} className={classes(css.button, css[kind], wide === true && css.wide, className)}>
      <Inside icon={icon}>{children}</Inside>
    </a>
  )
}

export const ButtonLink = createLink(Anchor)
export const ButtonAnchor = Anchor

function Inside({ icon: Sign, children }: { icon: Icon | undefined; children: ReactNode }) {
  return (
    <>
      {Sign && <Sign />}
      {children}
    </>
  )
}

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
