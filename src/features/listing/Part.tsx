import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import css from './Part.module.css'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { MapPin } from 'lucide-react'
import type { ListingDocument } from '#schema/disk/documents'
import { usePlaceName } from '../../parts/catalogue.ts'
import { placeOf } from '../../parts/place.ts'

export interface ListingProps {
  listing: ListingDocument
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** `more` and `className` are for the button that unfolds it. */
export function Fold({
  folds,
  more,
  className,
  children,
}: {
  folds: boolean
  more: string
  className: string | undefined
  children: (folded: boolean) => ReactNode
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      {children(folds && !open)}
      {folds && (
        <Button
          kind="quiet"
          aria-expanded={open}
          className={className}
          onClick={() => setOpen(!open)}
        >
          {open ? t`Réduire` : more}
        </Button>
      )}
    </>
  )
}

export function Description({ text }: { text: string | undefined }) {
  const { t } = useLingui()
  return (
    <Part title={t`Description`}>
      {text === undefined ? (
        <Skeleton shape="block" />
      ) : (
        <Fold folds={isLong(text)} more={t`Lire la suite`} className={css.more}>
          {(folded) => (
            <p dir="auto" className={classes(css.text, folded && css.folded)}>
              {text}
            </p>
          )}
        </Fold>
      )}
    </Part>
  )
}

export function Place({ listing }: ListingProps) {
  const { t } = useLingui()
  const { town, region, region_name, location_note } = listing
  return (
    <Part title={t`Lieu`}>
      <div className="line">
        <MapPin className="quiet" />
        <p>
          <ListingLocation listing={listing} />
          {town !== null && <span className={css.quiet}>{region_name}</span>}
          {location_note !== null && (
            <span dir="auto" className={css.quiet}>
              {location_note}
            </span>
          )}
        </p>
      </div>
      <ButtonLink
        kind="quiet"
        to="/listings"
        search={town === null ? { region } : { town }}
        className={css.link}
      >
        {t`Annonces près d’ici`}
      </ButtonLink>
    </Part>
  )
}

export function ListingLocation({ listing }: ListingProps) {
  const { region_name: region, town, town_name, neighbourhood, neighbourhood_name } = listing
  const named =
    region !== '' &&
    (town === null || town_name !== null) &&
    (neighbourhood === null || neighbourhood_name !== null)
  return named ? placeOf(listing) : <FromGazetteer listing={listing} />
}

/** After a local change the server's names are missing. */
function FromGazetteer({ listing }: ListingProps) {
  const nameOf = usePlaceName()
  return placeOf({
    ...listing,
    region_name: listing.region_name || (nameOf(listing.region) ?? ''),
    town_name: listing.town_name ?? nameOf(listing.town) ?? null,
    neighbourhood_name: listing.neighbourhood_name ?? nameOf(listing.neighbourhood) ?? null,
  })
}

/** On a phone; texts of more lines are folded. */
const LINE = 44
const LINES = 9

/** By letters, not measured: the server renders the same. */
export function isLong(text: string) {
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE)))
  return lines.reduce((sum, count) => sum + count, 0) > LINES
}
