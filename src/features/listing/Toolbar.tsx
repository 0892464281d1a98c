import { useLingui } from '@lingui/react/macro'
import Flag from 'lucide-react/icons/flag'
import Share2 from 'lucide-react/icons/share-2'
import { Suspense, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { placeOf } from '../../parts/place.ts'
import { SaveButton } from '../../parts/SaveButton.tsx'
import { IconButton } from '../../ui/Button.tsx'
import css from './Toolbar.module.css'
import { lazyNamed } from '../../ui/lazy.ts'

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')

const ShareDialog = lazyNamed(() => import('../../parts/ShareDialog.tsx'), 'ShareDialog')

export function Toolbar({ listing, owner }: { listing: ListingDocument; owner: boolean }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const [reporting, setReporting] = useState(false)
  const [sharing, setSharing] = useState(false)

  const shared = {
    title: listing.title,
    url: `${import.meta.env.SSR ? '' : location.origin}/listings/${listing.id}`,
    strong: listing.price === null ? '' : money(listing.price),
    quiet: placeOf(listing),
    photo: listing.cover?.url ?? null,
  }

  return (
    <div className={css.bar}>
      <SaveButton listing={listing.id} className={css.tool} />
      <IconButton
        label={t`Partager`}
        icon={Share2}
        className={css.tool}
        onClick={() => setSharing(true)}
      />
      {!owner && (
        <IconButton
          label={t`Signaler`}
          icon={Flag}
          className={css.tool}
          onClick={() => setReporting(true)}
        />
      )}
      {sharing && (
        <Suspense>
          <ShareDialog shared={shared} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {reporting && (
        <Suspense>
          <ReportDialog open onClose={() => setReporting(false)} listing={listing.id} />
        </Suspense>
      )}
    </div>
  )
}
