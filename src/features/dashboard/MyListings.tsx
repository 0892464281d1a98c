import { useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import empty from 'virtual:texts/empty_states'
import type { Params } from '#schema/port/question'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import NoListings from '../../parts/drawings/noListings.svg?react'
import { ButtonLink } from '../../ui/Button.tsx'
import { ChipChoice } from '../../ui/Chip.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './MyListings.module.css'
import { OwnCard } from './OwnCard.tsx'
import { useSending } from './sending.ts'
import { Totals } from './Totals.tsx'

type Shown = Params<'listings.mine'>['status']

/** [S2.39] */
export function MyListings() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const shown = shownOf(useSearch({ strict: false })['show'])
  const { rows, facts, status } = useLiveQuery('listings.mine', { status: shown })
  const sendingOf = useSending()
  return (
    <section aria-label={t`Mes annonces`} className="section">
      <Totals totals={facts?.totals ?? null} />
      <ChipChoice<Shown>
        label={t`Annonces à montrer`}
        options={[
          ['active', t`Actives`],
          ['all', t`Toutes`],
          ['archived', t`Archivées`],
        ]}
        value={shown}
        onValue={(show) =>
          void navigate({
            to: '.',
            search: (old) => ({ ...old, show }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      {rows.length > 0 ? (
        <div className={css.list}>
          {rows.map((listing) => (
            <OwnCard key={listing.id} listing={listing} sending={sendingOf(listing.id)} />
          ))}
        </div>
      ) : status === 'loading' ? (
        <Skeleton shape="block" />
      ) : (
        <Nothing shown={shown} known={facts?.totals != null} />
      )}
    </section>
  )
}

function shownOf(word: string | undefined): Shown {
  return word === 'all' || word === 'archived' ? word : 'active'
}

function Nothing({ shown, known }: { shown: Shown; known: boolean }) {
  const { t } = useLingui()
  const translate = useTranslate()
  if (!known) {
    return (
      <Empty
        drawing={<NoListings />}
        text={t`Vos annonces viendront avec le réseau.`}
        onRetry={() => refresh('listings.mine', { status: shown })}
      />
    )
  }
  if (shown === 'archived')
    return <Empty drawing={<NoListings />} text={t`Aucune annonce archivée.`} />
  return (
    <Empty
      drawing={<NoListings />}
      text={translate(empty.my_listings_none)}
      action={
        <ButtonLink to="/create-listing" kind="main">
          {t`Publier une annonce`}
        </ButtonLink>
      }
    />
  )
}
