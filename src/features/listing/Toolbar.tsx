import { useLingui } from '@lingui/react/macro'
import Flag from 'lucide-react/icons/flag'
import Share2 from 'lucide-react/icons/share-2'
import { lazy, Suspense, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { SaveButton } from '../../parts/SaveButton.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './Toolbar.module.css'

const ReportDialog = lazy(async () => ({ default: (await import('../report/ReportDialog.tsx')).ReportDialog }))

/** Save, share, report. */
export function Toolbar({ listing, owner }: { listing: ListingDocument; owner: boolean }) {
  const { t } = useLingui()
  const [reporting, setReporting] = useState(false)

  async function share(): Promise<void> {
    const what = { title: listing.title, url: `${location.origin}/listings/${listing.id}` }
    try {
      if (typeof navigator.share === 'function') await navigator.share(what)
      else {
        await navigator.clipboard.writeText(what.url)
        toast(t`Lien copié.`, { tone: 'good' })
      }
    } catch (error) {
      // A sheet that was closed is no fault.
      if (error instanceof DOMException && error.name !== 'AbortError') toast(t`Impossible de partager. Copiez l’adresse de la page.`, { tone: 'danger' })
    }
  }

  return (
    <div className={css.bar}>
      <SaveButton listing={listing.id} className={css.tool} />
      <IconButton label={t`Partager`} icon={Share2} className={css.tool} onClick={() => void share()} />
      {!owner && <IconButton label={t`Signaler`} icon={Flag} className={css.tool} onClick={() => setReporting(true)} />}
      {reporting && (
        <Suspense>
          <ReportDialog open onClose={() => setReporting(false)} listing={listing.id} />
        </Suspense>
      )}
    </div>
  )
}
