import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import type { Icon } from './Button.tsx'
import css from './Menu.module.css'
import { classes } from './classes.ts'
import './popover.ts'
import { foundBy, typeOn } from './typeAhead.ts'

/** Of `MenuItem` and `MenuLink`. Keys [S9.29]: arrows, Home, End, type-ahead. */
export function Menu({
  label,
  button,
  children,
  className,
}: {
  label: string
  button: ReactNode
  children: ReactNode
  className?: string | undefined
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })

  function items() {
    return [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  }

  function move(event: KeyboardEvent) {
    const all = items()
    if (!moveFocus(event, all) && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      typed.current = typeOn(typed.current, event.key, event.timeStamp)
      const names = all.map((item) => item.textContent)
      all[foundBy(typed.current, names)]?.focus()
    }
  }

  return (
    <div className={classes(css.menu, className)}>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        className={css.button}
      >
        {button}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus */}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={css.list}
        onKeyDown={move}
        onToggle={(event) =>
          event.newState === 'open' && items()[0]?.focus({ preventScroll: true })
        }
        onClick={(event) =>
          event.target instanceof Element &&
          event.target.closest('[role^="menuitem"]') &&
          list.current?.hidePopover?.()
        }
      >
        {children}
      </div>
    </div>
  )
}

/** false: not one of these keys. */
export function moveFocus(event: KeyboardEvent, all: readonly HTMLElement[]) {
  const here = all.findIndex((item) => item === document.activeElement)
  const steps: Record<string, number> = {
    ArrowDown: here + 1,
    ArrowUp: here < 0 ? all.length - 1 : here - 1,
    Home: 0,
    End: all.length - 1,
  }
  const step = steps[event.key]
  if (step === undefined) return false
  event.preventDefault()
  all.at(step % all.length)?.focus()
  return true
}

export function MenuItem({
  icon: Sign,
  children,
  ...rest
}: { icon?: Icon } & Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return (
    <button {...rest} type="button" role="menuitem" className={css.item}>
      {Sign && <Sign />}
      {children}
    </button>
  )
}

function Anchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} role="menuitem" className={css.item}>
      {children}
    </a>
  )
}

export const MenuLink = createLink(Anchor)
