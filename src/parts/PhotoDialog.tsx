import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './PhotoDialog.module.css'

/** Photos on the whole screen. */
export function PhotoDialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <Dialog open={open} onClose={onClose} title={title} bare className={css.whole}>
      <IconButton label={t`Fermer`} icon={X} className={css.close} onClick={onClose} />
      {children}
    </Dialog>
  )
}
