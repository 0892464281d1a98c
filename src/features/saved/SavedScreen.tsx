import { Plural, Trans, useLingui } from '@lingui/react/macro'
import empty from 'virtual:texts/empty_states'
import { ask, refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useSession } from '../../data/session.ts'
import NothingSaved from '../../parts/drawings/nothingSaved.svg?react'
import { GridSkeleton, ListingGrid } from '../../parts/ListingGrid.tsx'
import { useListKeys } from '../../parts/listKeys.ts'
import { Page, Section } from '../../parts/Page.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { signInTo } from '../../parts/links.ts'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Payload } from '#schema/port/command'
import { isAccepted } from '#schema/port/outcome'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { firstText } from '../../locales/problems.ts'
import { type Params, RenameSearch, signOf, textsOf, useUnsentSearches } from './useSavedSearch.tsx'
import css from './SavedSearches.module.css'

/** [S2.13]: signed out they exist on this device only. */
export function SavedScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const { rows, facts, status } = useLiveQuery('listings.saved', {})
  useListKeys()
  // Before their first answer, none is missing.
  const missing = status === 'loading' ? 0 : (facts?.missing.length ?? 0)
  const known = rows.length > 0 || (facts !== null && status !== 'loading')

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

/** [S3.16] [S13.58]: saved searches, unsent ones first; a tap runs the search. */
function SavedSearches() {
  const { t } = useLingui()
  const { rows } = useLiveQuery('searches.saved', {})
  const { waiting, refused, removed } = useUnsentSearches()
  const [gone, setGone] = useState<readonly string[]>([])
  const [renamed, rename] = useState<Payload<'search.save'> | null>(null)
  const { search: wanted } = useSearch({ strict: false })
  const opened = rows.find(({ id }) => id === wanted)
  // Of several names that wait for one search, the last one counts.
  const unsent = new Map(waiting.map((one) => [one.sign, one]))
  const kept = rows.filter(
    ({ id, params }) => !gone.includes(id) && !removed.includes(id) && !unsent.has(signOf(params)),
  )
  if (opened) return <Opened id={opened.id} params={opened.params} />
  if (unsent.size + kept.length + refused.length === 0) return null

  async function remove(id: string) {
    const sent = await send('search.remove', { id })
    if (isAccepted(sent)) setGone([...gone, id])
  }

  return (
    <Section id="searches" title={t`Recherches enregistrées`}>
      <ul className="ruled">
        {refused.map(({ entry, name, params }) => (
          <li key={entry.id} className={css.row}>
            <To name={name} params={params} />
            <p role="alert" className={css.refused}>
              {(entry.problem && firstText(entry.problem)) ??
                t`Cette recherche n’a pas été enregistrée.`}
            </p>
            <Button kind="quiet" onClick={() => void ask('outbox.retry', { id: entry.id })}>
              {t`Réessayer`}
            </Button>
            <IconButton
              label={t`Supprimer la recherche ${name}`}
              icon={Trash2}
              onClick={() => void ask('outbox.remove', { id: entry.id })}
            />
          </li>
        ))}
        {[...unsent.values()].map(({ entry, name, params }) => (
          <li key={entry.id} className={css.row}>
            <To name={name} params={params} />
            <span className={css.waits}>{t`En attente d’envoi`}</span>
          </li>
        ))}
        {kept.map(({ id, name, params, new_count }) => (
          <li key={id} className={css.row}>
            <To
              name={name}
              params={params}
              fresh={new_count}
              onOpen={() => void ask('search.opened', { id })}
            />
            <IconButton
              label={t`Renommer la recherche ${name}`}
              icon={Pencil}
              onClick={() => rename({ name, params: textsOf(params) })}
            />
            <IconButton
              label={t`Supprimer la recherche ${name}`}
              icon={Trash2}
              onClick={() => void remove(id)}
            />
          </li>
        ))}
      </ul>
      {renamed && <RenameSearch search={renamed} onClose={() => rename(null)} />}
    </Section>
  )
}

function Opened({ id, params }: { id: string; params: Params }) {
  useEffect(() => {
    void ask('search.opened', { id })
  }, [id])
  return <Navigate to="/listings" search={textsOf(params)} replace />
}

function To({
  name,
  params,
  fresh = 0,
  onOpen,
}: {
  name: string
  params: Params
  fresh?: number
  onOpen?: () => void
}) {
  const { t } = useLingui()
  const { some } = useFormat()
  return (
    <Link to="/listings" search={textsOf(params)} dir="auto" className={css.name} onClick={onOpen}>
      {name}
      {fresh > 0 && (
        <span className={css.fresh}>
          {some(fresh, t`${fresh} nouvelle annonce`, t`${fresh} nouvelles annonces`)}
        </span>
      )}
    </Link>
  )
}
