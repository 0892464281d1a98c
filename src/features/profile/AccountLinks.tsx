import { useLingui } from '@lingui/react/macro'
import { Link, type LinkProps } from '@tanstack/react-router'
import {
  Bell,
  Bookmark,
  ChevronRight,
  Heart,
  MessageCircle,
  Send,
  Settings,
  Store,
  Tags,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { conversations } from '../../parts/links.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { Icon } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { useNow } from '../../parts/now.ts'
import { attentionItemsOf } from '../dashboard/attentionItems.ts'
import css from './profile.module.css'

/** [S13.10] */
export function AccountLinks({ followers }: { followers: number }) {
  const { t } = useLingui()
  const { number, some, language } = useFormat()
  const now = useNow()
  const own = useLiveQuery('listings.mine', { status: 'all' })
  const talks = useLiveQuery('conversations.list', { search: '' })
  const saved = useLiveQuery('saved.ids', {}).facts?.ids.length
  const searches = useLiveQuery('searches.saved', {})
  const me = useLiveQuery('account.me', {}).facts
  const outbox = useLiveQuery('outbox.entries', {}).facts
  const listings = own.rows.filter(({ status }) => status !== 'archived').length
  const waiting = outbox === null ? 0 : outbox.waiting + outbox.sending + outbox.signedOut
  return (
    <nav aria-label={t`Mon compte`} className={classes('section', css.ways)}>
      <ul className="card ruled">
        <Way
          link={{ to: '.', search: { tab: 'listings' } }}
          icon={Tags}
          count={own.facts === null ? null : number(listings)}
          unit={some(listings, t`annonce`, t`annonces`)}
          badge={<Badge count={attentionItemsOf(own.rows, now).length} label={t`à revoir`} />}
        >
          {t`Mes annonces`}
        </Way>
        <Way
          link={conversations}
          icon={MessageCircle}
          count={talks.facts === null ? null : number(talks.rows.length)}
          unit={some(talks.rows.length, t`conversation`, t`conversations`)}
          badge={<Badge count={me?.unreadMessages ?? 0} label={t`non lus`} one={t`non lu`} />}
        >
          {t`Messages`}
        </Way>
        <Way
          link={{ to: '/saved' }}
          icon={Heart}
          count={saved === undefined ? null : number(saved)}
          unit={some(saved ?? 0, t`annonce`, t`annonces`)}
        >
          {t`Favoris`}
        </Way>
        <Way
          link={{ to: '/saved', hash: 'searches' }}
          icon={Bookmark}
          count={searches.facts === null ? null : number(searches.rows.length)}
        >
          {t`Recherches enregistrées`}
        </Way>
      </ul>
      <ul className="card ruled">
        <Way
          link={{ to: '/notifications' }}
          icon={Bell}
          badge={
            <Badge count={me?.unreadNotifications ?? 0} label={t`non lues`} one={t`non lue`} />
          }
        >
          {t`Notifications`}
        </Way>
        <Way
          link={{ to: '/shop' }}
          icon={Store}
          count={number(followers)}
          unit={some(followers, t`abonné`, t`abonnés`)}
        >
          {t`Ma boutique`}
        </Way>
        <Way
          link={{ to: '/outbox' }}
          icon={Send}
          count={outbox === null ? null : number(waiting)}
          badge={<Badge count={outbox?.refused ?? 0} label={t`à revoir`} />}
        >
          {t`En attente d’envoi`}
        </Way>
        <Way
          link={{ to: '/settings' }}
          icon={Settings}
          count={language === 'fr' ? 'Français' : 'English'}
        >
          {t`Paramètres`}
        </Way>
      </ul>
    </nav>
  )
}

/** `count` null: not known yet; `unit`: for screen readers. */
function Way({
  link,
  icon: Sign,
  count,
  unit = '',
  badge,
  children,
}: {
  link: LinkProps
  icon: Icon
  count?: string | null
  unit?: string
  badge?: ReactNode
  children: string
}) {
  return (
    <li>
      <Link {...link} className={css.way}>
        <span className={css.sign}>
          <Sign />
        </span>
        <span className={css.name}>{children}</span>
        {badge}
        {count !== undefined && (
          <span className={css.count}>
            {count}
            <span className="unseen"> {unit}</span>
          </span>
        )}
        <ChevronRight className={css.chevron} />
      </Link>
    </li>
  )
}
