import { Plural, Trans, useLingui } from '@lingui/react/macro'
import empty from 'virtual:texts/empty_states'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/translate.ts'
import NothingSaved from '../../parts/drawings/nothingSaved.svg?react'
import { GridSkeleton, ListingGrid } from '../../parts/ListingGrid.tsx'
import { useListKeys } from '../../parts/listKeys.ts'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SavedSearches } from './SavedSearches.tsx'
import { signInTo } from '../../parts/links.ts'

/** [S2.13]: saved listings, newest first; signed out they exist on this device only. */
export function SavedScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const { rows, facts, status } = useLiveQuery('listings.saved', {})
  useListKeys()
  const missing = facts?.missing.length ?? 0
  const known = rows.length > 0 || facts !== null

  return (
    <Page title={t`Favoris`} width="wide" shown={known}>
      {!known && <GridSkeleton count={4} />}
      {rows.length > 0 && (
        <section aria-labelledby="kept">
          <h2 id="kept" className="unseen">
            {t`Mes favoris`}
          </h2>
          <ListingGrid rows={rows} eager={4} />
        </section>
      )}
      {missing > 0 && (
        <Notice
          tone={status === 'offline' ? 'wait' : 'plain'}
          action={
            <Button kind="quiet" onClick={() => refresh('listings.saved', {})}>
              {t`Réessayer`}
            </Button>
          }
        >
          {status === 'offline' ? (
            <Plural
              value={missing}
              one="# annonce viendra avec le réseau."
              other="# annonces viendront avec le réseau."
            />
          ) : (
            <Plural
              value={missing}
              one="# annonce n’est plus disponible ou n’est pas encore chargée."
              other="# annonces ne sont plus disponibles ou ne sont pas encore chargées."
            />
          )}
        </Notice>
      )}
      {known && rows.length === 0 && missing === 0 && (
        <Empty
          drawing={<NothingSaved />}
          text={translate(empty.saved_none)}
          action={
            <ButtonLink kind="main" to="/listings">
              {t`Voir les annonces`}
            </ButtonLink>
          }
        />
      )}
      {token !== null && <SavedSearches />}
      {token === null && rows.length > 0 && (
        <Notice
          action={
            <ButtonLink kind="quiet" {...signInTo('/saved')}>
              {t`Se connecter`}
            </ButtonLink>
          }
        >
          <Trans>
            Vos favoris sont sur ce téléphone seulement. Connectez-vous pour les retrouver ailleurs.
          </Trans>
        </Notice>
      )}
    </Page>
  )
}
