import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from './Button.tsx'
import css from './Dialog.module.css'
import { classes } from './classes.ts'

interface Shown {
  open: boolean
  onClose: () => void
  children?: ReactNode
}

/** Closes on Escape and on a tap outside. */
export function Dialog({
  open,
  onClose,
  title,
  actions,
  bare,
  className,
  children,
}: Shown & {
  title: string
  actions?: ReactNode
  bare?: boolean
  className?: string | undefined
}) {
  const { t } = useLingui()
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      className={className}
      {...(bare === true ? { 'aria-label': title } : { 'aria-labelledby': id })}
    >
      {bare !== true && (
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          <IconButton label={t`Fermer`} icon={X} onClick={onClose} />
        </header>
      )}
      <div className={bare === true ? css.bare : css.body}>{children}</div>
      {actions !== undefined && <footer className={css.actions}>{actions}</footer>}
    </Modal>
  )
}

export function Confirm({
  open,
  onClose,
  title,
  action,
  danger = true,
  onConfirm,
  children,
}: Shown & { title: string; action: string; danger?: boolean; onConfirm: () => void }) {
  const { t } = useLingui()
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
    >
      <div className={css.body}>
        <h2 id={id}>{title}</h2>
        <div id={`${id}-text`} className={css.text}>
          {children}
        </div>
      </div>
      <footer className={css.actions}>
        <Button onClick={onClose}>{t`Annuler`}</Button>
        <Button
          kind={danger ? 'danger' : 'main'}
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </Button>
      </footer>
    </Modal>
  )
}

export function Asked({
  renderButton,
  ...question
}: Omit<ComponentProps<typeof Confirm>, 'open' | 'onClose'> & {
  renderButton: (ask: () => void) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {renderButton(() => setOpen(true))}
      <Confirm {...question} open={open} onClose={() => setOpen(false)} />
    </>
  )
}

type Modal = Shown & Omit<ComponentProps<'dialog'>, keyof Shown | 'onCancel' | 'onClick' | 'ref'>

function Modal({ open, ...rest }: Modal) {
  return open && <Opened {...rest} />
}

/** For a `dialog` element: native modal, closed by Escape and by a tap on the backdrop. */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  // In a layout effect, before the element is removed: closing returns the focus to the opener.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return {
    ref: dialog,
    onCancel: (event: SyntheticEvent) => {
      event.preventDefault()
      onClose()
    },
    onClick: (event: MouseEvent) => {
      if (event.target === event.currentTarget) onClose()
    },
  }
}

function Opened({ onClose, className, children, ...named }: Omit<Modal, 'open'>) {
  return (
    <dialog {...named} {...useModal(onClose)} className={classes(css.dialog, className)}>
      <div className={css.inside}>{children}</div>
    </dialog>
  )
}
