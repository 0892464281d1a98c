import { useLingui } from '@lingui/react/macro'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { ListingGrid, ListingRow } from '../../parts/ListingGrid.tsx'
import { Button } from '../../ui/Button.tsx'
import css from './ListingScreen.module.css'

export function Similar({ id }: { id: string }) {
  const { t } = useLingui()
  const similar = useLiveQuery('listings.similar', { id })
  const related = useLiveQuery('listings.related', { id })
  return (
    <div className={css.similar}>
      {similar.rows.length > 0 && (
        <section>
          <h2>{t`Annonces similaires`}</h2>
          <ListingRow rows={similar.rows} />
        </section>
      )}
      {related.rows.length > 0 && (
        <section>
          <h2>{t`Dans la même catégorie`}</h2>
          <ListingGrid rows={related.rows} />
        </section>
      )}
      {related.facts?.problem != null && related.rows.length === 0 && (
        <p className="quiet">
          {t`Impossible de charger les annonces proches.`}{' '}
          <Button kind="quiet" onClick={() => refresh('listings.related', { id })}>
            {t`Réessayer`}
          </Button>
        </p>
      )}
    </div>
  )
}
