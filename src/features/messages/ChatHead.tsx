import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Phone, Search } from 'lucide-react'
import type { SellerMini } from '#schema/wire/shapes'
import { conversations } from '../../parts/links.ts'
import { useNameOf } from '../../parts/person.ts'
import { PersonMenu } from '../../parts/PersonMenu.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { MenuItem } from '../../ui/Menu.tsx'
import type { Phone as SellerPhone } from '../listing/Phone.tsx'
import css from './ChatHead.module.css'

interface Props {
  peer: SellerMini | null
  blocked: boolean
  alone: boolean
  typing: boolean
  phone: SellerPhone | null
  onSearch: () => void
  onReport: () => void
}

export function ChatHead({ peer, blocked, alone, typing, phone, onSearch, onReport }: Props) {
  const { t } = useLingui()
  const nameOf = useNameOf()
  const name = peer === null ? '' : nameOf(peer)
  const search = t`Rechercher dans la conversation`
  const Heading = alone ? 'h1' : 'h2'

  return (
    <header className={css.head}>
      {alone && <Back />}
      <Avatar src={peer?.avatar ?? null} name={name} size="s" />
      <div className={css.who}>
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
        {typing && (
          <p aria-hidden="true" className={css.typing}>
            {t`écrit…`}
          </p>
        )}
      </div>
      {phone &&
        (phone.phone === null ? (
          <IconButton
            label={t`Appeler`}
            icon={Phone}
            disabled={phone.asking}
            onClick={() => void phone.call()}
          />
        ) : (
          <a
            href={`tel:${phone.phone}`}
            className={css.call}
            aria-label={t`Appeler`}
            title={t`Appeler`}
          >
            <Phone />
          </a>
        ))}
      {!alone && <IconButton label={search} icon={Search} onClick={onSearch} />}
      {peer !== null && !peer.deleted && (
        <PersonMenu
          label={t`Actions de la conversation`}
          user={peer.id}
          name={name}
          blocked={blocked}
          onReport={onReport}
        >
          {alone && (
            <MenuItem icon={Search} onClick={onSearch}>
              {search}
            </MenuItem>
          )}
        </PersonMenu>
      )}
    </header>
  )
}

export function WayBack() {
  const { t } = useLingui()
  return (
    <header className={css.head}>
      <Back />
      <h1 className="unseen">{t`Conversation`}</h1>
    </header>
  )
}

function Back() {
  const { t } = useLingui()
  return (
    <Link {...conversations} aria-label={t`Retour aux conversations`} className={css.back}>
      <ArrowLeft />
    </Link>
  )
}
