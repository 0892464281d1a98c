import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import CheckCheck from 'lucide-react/icons/check-check'
import Clock from 'lucide-react/icons/clock'
import type { Entry } from '#schema/disk/entry'
import { whyWaiting } from '../../locales/problems.ts'
import { useCost } from '../../locales/cost.ts'
import { useTranslate } from '../../locales/translate.ts'
import { WifiChoice } from '../../parts/Unsent.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import css from './CreateListingScreen.module.css'
import { useLiveQuery } from '../../data/read.ts'

/** Unsent, or on the server and pending review [S4.01]. */
export function Posted({ entry, draft }: { entry: Entry | undefined; draft: string | undefined }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const another = (
    <ButtonLink to="/create-listing" search={{}}>
      {t`Publier une autre annonce`}
    </ButtonLink>
  )
  if (entry && entry.state !== 'acknowledged') {
    return (
      <div role="status">
        <Empty
          icon={Clock}
          title={t`Votre annonce attend d’être envoyée`}
          text={
            <>
              {translate(whyWaiting(entry))}{' '}
              <Trans>Elle partira d’elle-même, une seule fois ({cost(entry.bytes)}).</Trans>{' '}
              {t`Elle sera ensuite en attente de validation : vous serez prévenu.`}
            </>
          }
          action={
            <span className={css.ways}>
              <WifiChoice entry={entry} />
              <Link to="/outbox">{t`Voir ce qui attend`}</Link>
              {another}
            </span>
          }
        />
      </div>
    )
  }
  if (draft !== undefined) {
    return (
      <Empty
        icon={Clock}
        text={t`Cette annonce n’est pas partie.`}
        action={
          <ButtonLink to="/create-listing" search={{ draft, step: 'review' }}>
            {t`Ouvrir le brouillon`}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <div role="status">
      <Empty
        icon={CheckCheck}
        title={t`Votre annonce est envoyée`}
        text={t`Elle est en attente de validation : vous serez prévenu.`}
        action={another}
      />
    </div>
  )
}

/** Unsent, or accepted and, where the text changed, under review again [API 5.2]. */
export function EditPosted({ entry, listing }: { entry: Entry | undefined; listing: string }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const [row] = useLiveQuery('listing.detail', { id: listing }).rows
  return (
    <div role="status">
      <Empty
        icon={entry ? Clock : CheckCheck}
        title={
          entry ? t`Vos changements attendent d’être envoyés` : t`Vos changements sont envoyés`
        }
        text={
          <>
            {entry ? (
              <>
                {translate(whyWaiting(entry))}{' '}
                <Trans>Ils partiront d’eux-mêmes, une seule fois ({cost(entry.bytes)}).</Trans>
              </>
            ) : (
              t`L’annonce est à jour.`
            )}
            {row?.status === 'pending' && (
              <> {t`L’annonce repasse en validation : vous serez prévenu.`}</>
            )}
          </>
        }
        action={
          <span className={css.ways}>
            {entry && <Link to="/outbox">{t`Voir ce qui attend`}</Link>}
            <ButtonLink to="/profile" search={{ tab: 'listings' }}>
              {t`Mes annonces`}
            </ButtonLink>
          </span>
        }
      />
    </div>
  )
}
