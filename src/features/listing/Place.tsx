import { useLingui } from '@lingui/react/macro'
import MapPin from 'lucide-react/icons/map-pin'
import type { ListingDocument } from '#schema/disk/documents'
import { ButtonLink } from '../../ui/Button.tsx'
import { ListingLocation } from './ListingLocation.tsx'
import { Part } from './Part.tsx'
import css from './Place.module.css'

export function Place({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { town, region, region_name, location_note } = listing
  return (
    <Part title={t`Lieu`}>
      <div className={css.line}>
        <MapPin />
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
