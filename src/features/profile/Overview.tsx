import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleQuestionMark, LogOut } from 'lucide-react'
import { useMe } from '../../data/read.ts'
import { useSignOut } from '../auth/useSignOut.tsx'
import { Attention } from '../dashboard/Attention.tsx'
import { MyDrafts } from '../post/DraftList.tsx'
import { Informations } from './Informations.tsx'
import css from './Overview.module.css'
import { AccountLinks } from './AccountLinks.tsx'
import { AccountHead } from './AccountHead.tsx'

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
