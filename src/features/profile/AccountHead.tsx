import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { User } from '#schema/wire/account'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './AccountHead.module.css'

/** null: not known yet. */
export function AccountHead({ user }: { user: User | null }) {
  const { t } = useLingui()
  if (user === null)
    return (
      <div className={css.who}>
        <Skeleton shape="block" />
      </div>
    )
  const name = user.shop_name ?? user.username
  return (
    <div className={css.who}>
      <Avatar src={user.avatar} name={name} size="m" />
      <div className={css.text}>
        <p className={css.name}>
          <bdi>{name}</bdi>
          {user.verified_seller && (
            <>
              {'\u00A0'}
              <Verified />
            </>
          )}
        </p>
        <p className="quiet">
          <bdi>@{user.username}</bdi> ·{' '}
          <Plural value={user.items_sold} one="# vente" other="# ventes" />
        </p>
      </div>
      <Link
        to="."
        hash="informations"
        className={css.edit}
        aria-label={t`Modifier mes informations`}
        title={t`Modifier mes informations`}
      >
        <Pencil />
      </Link>
    </div>
  )
}
