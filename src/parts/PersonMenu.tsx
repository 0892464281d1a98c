import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, EllipsisVertical, Flag } from 'lucide-react'
import type { ReactNode } from 'react'
import { send } from '../data/ask.ts'
import { useSession } from '../data/session.ts'
import { Asked } from '../ui/Dialog.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toasts.ts'
import { queuedOrToast } from './queuedOrToast.ts'

/** [API 10.6] */
export function PersonMenu({
  label,
  user,
  name,
  blocked,
  className,
  onReport,
  children,
}: {
  label: string
  user: string
  name: string
  blocked: boolean
  className?: string | undefined
  onReport: () => void
  children?: ReactNode
}) {
  const { t } = useLingui()
  const { token } = useSession()

  async function block(wanted: boolean) {
    if (await queuedOrToast(send('user.block', { user, blocked: wanted })))
      toast(wanted ? t`Personne bloquée.` : t`Personne débloquée.`)
  }

  return (
    <Asked
      renderButton={(ask) => (
        <Menu label={label} button={<EllipsisVertical />} className={className}>
          {children}
          <MenuItem icon={Flag} onClick={onReport}>
            {t`Signaler`}
          </MenuItem>
          {token !== null && (
            <MenuItem icon={Ban} onClick={() => (blocked ? void block(false) : ask())}>
              {blocked ? t`Débloquer` : t`Bloquer`}
            </MenuItem>
          )}
        </Menu>
      )}
      title={t`Bloquer ${name} ?`}
      action={t`Bloquer`}
      onConfirm={() => void block(true)}
    >
      <Trans>
        Vous ne pourrez plus vous écrire. La personne n’est pas prévenue, et vous pourrez la
        débloquer dans les paramètres.
      </Trans>
    </Asked>
  )
}
