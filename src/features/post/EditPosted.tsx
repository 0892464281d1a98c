'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import CheckCheck from 'lucide-react/icons/check-check'
import Clock from 'lucide-react/icons/clock'
import type { Entry } from '#schema/disk/entry'
import { useLiveQuery } from '../../data/read.ts'
import { useCost } from '../../locales/cost.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import css from './Posted.module.css'

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
              <>
                {' '}
                {t`L’annonce repasse en validation : une notification vous dira quand elle est en ligne.`}
              </>
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
