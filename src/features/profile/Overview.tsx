import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleQuestionMark, LogOut, Pencil } from 'lucide-react'
import type { User } from '#schema/wire/account'
import { useMe } from '../../data/read.ts'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useSignOut } from '../auth/useSignOut.tsx'
import { Attention } from '../dashboard/Attention.tsx'
import { MyDrafts } from '../post/DraftList.tsx'
import { Informations } from './Informations.tsx'
import css from './profile.module.css'
import { AccountLinks } from './AccountLinks.tsx'

/** [S2.40] [S13.10] */
export function Overview() {
  const { t } = useLingui()
  const user = useMe()
  const { start, dialog } = useSignOut()
  return (
    <div className={css.overview}>
      <div className={css.side}>
        <AccountHead user={user ?? null} />
        <AccountLinks followers={user?.followers_count ?? 0} />
      </div>
      <div className={css.main}>
        <Attention />
        <MyDrafts />
        {user && <Informations user={user} />}
      </div>
      <div className={css.foot}>
        <Link to="/help" className={css.way}>
          <CircleQuestionMark />
          <span className={css.name}>{t`Aide`}</span>
          <ChevronRight className={css.chevron} />
        </Link>
        <button type="button" className={css.way} onClick={start}>
          <LogOut />
          {t`Se déconnecter`}
        </button>
        {dialog}
      </div>
    </div>
  )
}

/** null: not known yet. */
function AccountHead({ user }: { user: User | null }) {
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
        <p className={css.title}>
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
