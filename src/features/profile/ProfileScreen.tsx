import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, type LinkProps, useSearch } from '@tanstack/react-router'
import Bell from 'lucide-react/icons/bell'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Heart from 'lucide-react/icons/heart'
import LogOut from 'lucide-react/icons/log-out'
import Send from 'lucide-react/icons/send'
import Settings from 'lucide-react/icons/settings'
import Store from 'lucide-react/icons/store'
import type { ReactNode } from 'react'
import type { User } from '#schema/wire/account'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { Page, Section } from '../../parts/Page.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, type Icon } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useSignOut } from '../auth/useSignOut.tsx'
import { Attention } from '../dashboard/Attention.tsx'
import { MyListings } from '../dashboard/MyListings.tsx'
import { MyDrafts } from '../post/DraftList.tsx'
import { AvatarPicker } from './AvatarPicker.tsx'
import { EmailState } from './EmailState.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import css from './profile.module.css'

/** [S2.12, S2.39, D07]: also the dashboard (`tab=listings`); from local data. */
export function ProfileScreen() {
  const { t } = useLingui()
  const listings = useSearch({ strict: false })['tab'] === 'listings'
  const me = useLiveQuery('account.me', {})
  return (
    <Page
      title={listings ? t`Mes annonces` : t`Profil`}
      width={listings ? 'wide' : 'text'}
      shown={me.facts !== null}
    >
      <nav aria-label={t`Tableau de bord`} className="row">
        <Link
          to="."
          search={{}}
          activeOptions={{ exact: true }}
          className={css.tab}
          aria-current={listings ? undefined : 'page'}
        >
          {t`Profil`}
        </Link>
        <Link
          to="."
          search={{ tab: 'listings' }}
          activeOptions={{ exact: true }}
          className={css.tab}
          aria-current={listings ? 'page' : undefined}
        >
          {t`Mes annonces`}
        </Link>
        <Link to="/settings" className={css.tab}>
          {t`Paramètres`}
        </Link>
      </nav>
      {listings ? (
        <>
          <MyDrafts />
          <MyListings />
        </>
      ) : (
        <Overview />
      )}
    </Page>
  )
}

/** [S2.40]. */
function Overview() {
  const { t } = useLingui()
  const { rows, facts } = useLiveQuery('account.me', {})
  const outbox = useLiveQuery('outbox.entries', {}).facts
  const { start, dialog } = useSignOut()
  const user = rows[0]?.user
  const waiting = outbox === null ? 0 : outbox.waiting + outbox.sending + outbox.refused

  return (
    <>
      {user ? <Who user={user} /> : <Skeleton shape="block" />}
      <Attention />
      <MyDrafts />
      <nav aria-label={t`Mon compte`}>
        <ul className="card ruled">
          <Way to="/outbox" icon={Send} note={<Badge count={waiting} label={t`en attente`} />}>
            {t`En attente d’envoi`}
          </Way>
          <Way to="/saved" icon={Heart}>
            {t`Favoris`}
          </Way>
          <Way
            to="/notifications"
            icon={Bell}
            note={
              <Badge count={facts?.unreadNotifications ?? 0} label={t`non lues`} one={t`non lue`} />
            }
          >
            {t`Notifications`}
          </Way>
          <Way to="/shop" icon={Store}>
            {t`Ma boutique`}
          </Way>
          <Way to="/settings" icon={Settings}>
            {t`Paramètres`}
          </Way>
          <Way to="/help" icon={CircleQuestionMark}>
            {t`Aide`}
          </Way>
        </ul>
      </nav>
      {user && (
        <Section title={t`Mes informations`} card>
          <AvatarPicker user={user} />
          <EmailState user={user} />
          <ProfileForm key={user.updated_at} user={user} />
        </Section>
      )}
      <Button icon={LogOut} onClick={start}>
        {t`Se déconnecter`}
      </Button>
      {dialog}
    </>
  )
}

function Who({ user }: { user: User }) {
  const { day } = useFormat()
  const since = day(Date.parse(user.date_joined))
  return (
    <div className={css.who}>
      <Avatar src={user.avatar} name={user.shop_name ?? user.username} size="l" />
      <div>
        <p className={css.name}>
          <bdi>{user.shop_name ?? user.username}</bdi>
          {user.verified_seller && <Verified />}
        </p>
        <p className="quiet">@{user.username}</p>
        <p className="quiet">
          <Trans>Membre depuis le {since}</Trans>
        </p>
        <p className="quiet">
          <Plural value={user.followers_count} one="# abonné" other="# abonnés" /> ·{' '}
          <Plural value={user.items_sold} one="# vente" other="# ventes" />
        </p>
      </div>
    </div>
  )
}

function Way({
  to,
  icon: Sign,
  note,
  children,
}: {
  to: NonNullable<LinkProps['to']>
  icon: Icon
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      <Link to={to} className={css.way}>
        <Sign />
        <span className={css.wayName}>{children}</span>
        {note}
        <ChevronRight className={css.chevron} />
      </Link>
    </li>
  )
}
