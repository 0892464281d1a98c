import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Tags from 'lucide-react/icons/tags'
import empty from 'virtual:texts/empty_states'
import type { Params } from '#schema/port/question'
import type { OwnTotals } from '#schema/wire/listing'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { useSay } from '../../locales/say.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './MyListings.module.css'
import { OwnCard } from './OwnCard.tsx'

type Shown = Params<'listings.mine'>['status']

/** S2.39: one's own listings in every state, with what came of them; all from the phone, all changed without a network. */
export function MyListings() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const shown = shownOf(useSearch({ strict: false })['show'])
  const { rows, facts, status } = useLiveQuery('listings.mine', { status: shown })
  const waiting = useWaiting()
  const filters: readonly (readonly [Shown, string])[] = [
    ['active', t`Actives`],
    ['all', t`Toutes`],
    ['archived', t`Archivées`],
  ]
  return (
    <section aria-label={t`Mes annonces`} className={css.mine}>
      {facts?.totals && <Totals totals={facts.totals} />}
      <div className={chipRow} role="group" aria-label={t`Annonces à montrer`}>
        {filters.map(([value, name]) => (
          <Chip key={value} pressed={value === shown} onClick={() => void navigate({ to: '.', search: (old) => ({ ...old, show: value }), replace: true, resetScroll: false })}>
            {name}
          </Chip>
        ))}
      </div>
      {rows.length > 0 ? (
        <div className={css.list}>
          {rows.map((listing) => (
            <OwnCard key={listing.id} listing={listing} waiting={waiting.has(listing.id)} />
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

/** Own listings of which something has not reached the server yet. */
function useWaiting(): ReadonlySet<unknown> {
  const { rows } = useLiveQuery('outbox.entries', {})
  return new Set(rows.filter(({ state, low }) => state !== 'acknowledged' && !low).map(({ payload }) => payload['listing'] ?? payload['draft']))
}

function Totals({ totals }: { totals: OwnTotals }) {
  const { number } = useFormat()
  return (
    <dl className={css.totals}>
      <div>
        <dt>
          <Trans>Vues aujourd’hui</Trans>
        </dt>
        <dd>{number(totals.views_today)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Vues en tout</Trans>
        </dt>
        <dd>{number(totals.views_total)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Contacts</Trans>
        </dt>
        <dd>{number(totals.contacts_total)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Vendues</Trans>
        </dt>
        <dd>{number(totals.sold)}</dd>
      </div>
    </dl>
  )
}

function Nothing({ shown, known }: { shown: Shown; known: boolean }) {
  const { t } = useLingui()
  const say = useSay()
  if (!known) {
    return (
      <Empty
        icon={Tags}
        text={<Trans>Vos annonces viendront avec le réseau.</Trans>}
        action={
          <Button onClick={() => refresh('listings.mine', { status: shown })}>
            <Trans>Réessayer</Trans>
          </Button>
        }
      />
    )
  }
  if (shown === 'archived') return <Empty icon={Tags} text={t`Aucune annonce archivée.`} />
  return (
    <Empty
      icon={Tags}
      text={say(empty.my_listings_none)}
      action={
        <ButtonLink to="/create-listing" kind="main">
          <Trans>Publier une annonce</Trans>
        </ButtonLink>
      }
    />
  )
}
