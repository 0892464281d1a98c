import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { SellerMini } from '#schema/wire/shapes'
import { PersonMenu } from '../../parts/PersonMenu.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import css from './ChatHead.module.css'
import { useNameOf } from '../../parts/person.ts'
import { conversations } from '../../parts/links.ts'

interface Props {
  peer: SellerMini | null
  blocked: boolean
  alone: boolean
  onReport: () => void
}

export function ChatHead({ peer, blocked, alone, onReport }: Props) {
  const { t } = useLingui()
  const nameOf = useNameOf()
  const name = peer === null ? '' : nameOf(peer)
  const Heading = alone ? 'h1' : 'h2'

  return (
    <header className={css.head}>
      {alone && (
        <Link {...conversations} aria-label={t`Retour aux conversations`} className={css.back}>
          <ArrowLeft />
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
        {peer?.verified_seller === true && <Verified />}
      </Heading>
      {peer !== null && !peer.deleted && (
        <PersonMenu
          label={t`Actions de la conversation`}
          user={peer.id}
          name={name}
          blocked={blocked}
          onReport={onReport}
        />
      )}
    </header>
  )
}
