import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './PhotoDialog.module.css'

export function PhotoDialog({ children, ...dialog }: ComponentProps<typeof Dialog>) {
  const { t } = useLingui()
  return (
    <Dialog {...dialog} bare className={css.whole}>
      <IconButton label={t`Fermer`} icon={X} className={css.close} onClick={dialog.onClose} />
      {children}
    </Dialog>
  )
}
