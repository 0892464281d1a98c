import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Ban from 'lucide-react/icons/ban'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import type { SellerMini } from '#schema/wire/shapes'
import { isAccepted } from '#schema/port/outcome'
import { send } from '../../data/send.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './ChatHead.module.css'
import { nameOf } from './peer.ts'

interface Props {
  readonly peer: SellerMini | null
  readonly blocked: boolean
  readonly alone: boolean
  readonly onReport: () => void
}

export function ChatHead({ peer, blocked, alone, onReport }: Props) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const name = peer === null ? '' : nameOf(peer, t`Compte supprimé`)
  const Heading = alone ? 'h1' : 'h2'

  async function block(user: string, on: boolean): Promise<void> {
    const sent = await send('user.block', { user, blocked: on })
    if (isAccepted(sent)) toast(on ? t`Personne bloquée.` : t`Personne débloquée.`)
  }

  return (
    <header className={css.head}>
      {alone && (
        <Link
          to="/messages/{-$conversationId}"
          params={{ conversationId: undefined }}
          aria-label={t`Retour aux conversations`}
          className={css.back}
        >
          <ArrowLeft aria-hidden />
        </Link>
      )}
      <Avatar src={peer?.avatar ?? null} name={name} size="s" />
      <Heading className={css.name}>
        {peer?.slug != null && !peer.deleted ? (
          <Link to="/shop/$slug" params={{ slug: peer.slug }} dir="auto">
            {name}
          </Link>
        ) : (
          <span dir="auto">{name}</span>
        )}
        {peer?.verified_seller === true && (
          <BadgeCheck role="img" aria-label={t`Vendeur vérifié`} />
        )}
      </Heading>
      {peer !== null && !peer.deleted && (
        <Menu label={t`Actions de la conversation`} button={<EllipsisVertical aria-hidden />}>
          <MenuItem icon={Flag} onClick={onReport}>
            {t`Signaler`}
          </MenuItem>
          <MenuItem
            icon={Ban}
            onClick={() => (blocked ? void block(peer.id, false) : setAsking(true))}
          >
            {blocked ? t`Débloquer` : t`Bloquer`}
          </MenuItem>
        </Menu>
      )}
      {peer !== null && (
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          title={t`Bloquer ${name} ?`}
          action={t`Bloquer`}
          onConfirm={() => void block(peer.id, true)}
        >
          <Trans>
            Vous ne pourrez plus vous écrire. La personne n’est pas prévenue, et vous pourrez la
            débloquer dans les paramètres.
          </Trans>
        </Confirm>
      )}
    </header>
  )
}
