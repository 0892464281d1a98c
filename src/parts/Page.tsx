import type { ReactNode } from 'react'
import { useScreen } from '../app/screen.ts'
import { classes } from '../ui/classes.ts'
import css from './Page.module.css'

export function Page({
  title,
  width = 'text',
  shown = true,
  actions,
  children,
}: {
  title: string
  width?: 'form' | 'text' | 'wide'
  shown?: boolean
  actions?: ReactNode
  children: ReactNode
}) {
  useScreen(title, shown)
  return (
    <div className={classes(css.page, css[width])}>
      <div className="ends">
        <h1>{title}</h1>
        {actions}
      </div>
      {children}
    </div>
  )
}

export function Section({
  title,
  id,
  card,
  children,
}: {
  title: string
  id?: string
  card?: boolean
  children: ReactNode
}) {
  return (
    <section id={id} aria-label={title} className={classes('section', card === true && css.card)}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
