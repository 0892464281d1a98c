import { useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { useLiveQuery } from '../../data/read.ts'
import { Page } from '../../parts/Page.tsx'
import { MyListings } from '../dashboard/MyListings.tsx'
import { MyDrafts } from '../post/DraftList.tsx'
import { Overview } from './Overview.tsx'

/** [S2.12, S2.39, D07]: also the dashboard (`tab=listings`). */
export function ProfileScreen() {
  const { t } = useLingui()
  const listings = useSearch({ strict: false })['tab'] === 'listings'
  const me = useLiveQuery('account.me', {})
  return (
    <Page title={listings ? t`Mes annonces` : t`Profil`} width="wide" shown={me.facts !== null}>
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
