import { Trans, useLingui } from '@lingui/react/macro'
import Ban from 'lucide-react/icons/ban'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { isAccepted } from '#schema/port/outcome'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/send.ts'
import { useSession } from '../../data/session.ts'
import { whyNotQueued } from '../../locales/problems.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toasts.ts'

/** [API 10.6]; each queues one command. */
export function ShopMenu({
  seller,
  name,
  className,
  onReport,
}: {
  seller: string
  name: string
  className?: string | undefined
  onReport: () => void
}) {
  const { t } = useLingui()
  const { token } = useSession()
  const [asking, setAsking] = useState(false)
  const blocked = useLiveQuery('account.blocked', {}).rows.some(({ id }) => id === seller)

  async function block(wanted: boolean): Promise<void> {
    const sent = await send('user.block', { user: seller, blocked: wanted })
    if (isAccepted(sent)) toast(wanted ? t`Personne bloquée.` : t`Personne débloquée.`)
    else toast(whyNotQueued(sent), { tone: 'danger' })
  }

  return (
    <>
      <Menu
        label={t`Actions pour ${name}`}
        button={<EllipsisVertical aria-hidden />}
        className={className}
      >
        <MenuItem icon={Flag} onClick={onReport}>
          {t`Signaler`}
        </MenuItem>
        {token !== null && (
          <MenuItem icon={Ban} onClick={() => (blocked ? void block(false) : setAsking(true))}>
            {blocked ? t`Débloquer` : t`Bloquer`}
          </MenuItem>
        )}
      </Menu>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Bloquer ${name} ?`}
        action={t`Bloquer`}
        onConfirm={() => void block(true)}
      >
        <Trans>
          Vous ne pourrez plus vous écrire. La personne n’est pas prévenue, et vous pourrez la
          débloquer dans les paramètres.
        </Trans>
      </Confirm>
    </>
  )
}
