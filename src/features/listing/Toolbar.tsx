import { useLingui } from '@lingui/react/macro'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { placeOf } from '../../parts/place.ts'
import { ShareButton } from '../../parts/ShareButton.tsx'
import { SaveButton } from '../../parts/SaveButton.tsx'
import { IconButton } from '../../ui/Button.tsx'
import css from './Toolbar.module.css'
import { lazyNamed } from '../../ui/lazy.tsx'

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')

export function Toolbar({ listing, owner }: { listing: ListingDocument; owner: boolean }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const [reporting, setReporting] = useState(false)
  return (
    <div className={css.bar}>
      <SaveButton listing={listing.id} className={css.tool} />
      <ShareButton
        title={listing.title}
        path={`/listings/${listing.id}`}
        strong={listing.price === null ? '' : money(listing.price)}
        quiet={placeOf(listing)}
        photo={listing.cover?.url ?? null}
        className={css.tool}
      />
      {!owner && (
        <IconButton
          label={t`Signaler`}
          icon={Flag}
          className={css.tool}
          onClick={() => setReporting(true)}
        />
      )}
      {reporting && <ReportDialog open onClose={() => setReporting(false)} listing={listing.id} />}
    </div>
  )
}
