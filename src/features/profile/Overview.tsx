import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleQuestionMark, LogOut } from 'lucide-react'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { Section } from '../../parts/Page.tsx'
import { useSignOut } from '../auth/useSignOut.tsx'
import { Attention } from '../dashboard/Attention.tsx'
import { MyDrafts } from '../post/DraftList.tsx'
import { AvatarPicker } from './AvatarPicker.tsx'
import { EmailState } from './EmailState.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import css from './Overview.module.css'
import { AccountLinks } from './AccountLinks.tsx'
import { AccountHead } from './AccountHead.tsx'

/** [S2.40] [S13.10] */
export function Overview() {
  const { t } = useLingui()
  const [me] = useLiveQuery('account.me', {}).rows
  const { start, dialog } = useSignOut()
  const { day } = useFormat()
  const user = me?.user
  const since = user ? day(Date.parse(user.date_joined)) : ''
  return (
    <div className={css.overview}>
      <div className={css.side}>
        <AccountHead user={user ?? null} />
        <AccountLinks followers={user?.followers_count ?? 0} />
      </div>
      <div className={css.main}>
        <Attention />
        <MyDrafts />
        {user && (
          <Section id="informations" title={t`Mes informations`} card>
            <AvatarPicker user={user} />
            <EmailState user={user} />
            <ProfileForm key={user.updated_at} user={user} />
            <p className="quiet">
              <Trans>Membre depuis le {since}</Trans>
            </p>
          </Section>
        )}
      </div>
      <div className={css.foot}>
        <Link to="/help" className={css.row}>
          <CircleQuestionMark />
          <span className={css.name}>{t`Aide`}</span>
          <ChevronRight className={css.chevron} />
        </Link>
        <button type="button" className={css.row} onClick={start}>
          <LogOut />
          {t`Se déconnecter`}
        </button>
        {dialog}
      </div>
    </div>
  )
}
