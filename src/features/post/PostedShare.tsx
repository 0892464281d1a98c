'use no memo'

import { useLingui } from '@lingui/react/macro'
import MessageCircle from 'lucide-react/icons/message-circle'
import Share2 from 'lucide-react/icons/share-2'
import { useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { placeOf } from '../../parts/place.ts'
import { Button, ButtonAnchor } from '../../ui/Button.tsx'
import { lazyNamed } from '../../ui/lazy.tsx'
import css from './Posted.module.css'

const ShareDialog = lazyNamed(() => import('../../parts/ShareDialog.tsx'), 'ShareDialog')

/** WhatsApp first: most sales begin there. */
export function PostedShare({ listing, online }: { listing: ListingDocument; online: boolean }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const [open, setOpen] = useState(false)
  const shared = {
    title: listing.title,
    url: `${location.origin}/listings/${listing.id}`,
    strong: listing.price === null ? '' : money(listing.price),
    quiet: placeOf(listing),
    photo: listing.cover?.url ?? null,
  }
  const text = [shared.title, shared.strong, shared.url].filter((part) => part !== '').join('\n')
  return (
    <div className={css.share}>
      <ButtonAnchor
        kind="main"
        icon={MessageCircle}
        href={`https://wa.me/?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t`Partager sur WhatsApp`}
      </ButtonAnchor>
      <Button icon={Share2} onClick={() => setOpen(true)}>
        {t`Partager`}
      </Button>
      {!online && <p className="quiet">{t`Le lien s’ouvrira dès que l’annonce sera validée.`}</p>}
      {open && <ShareDialog shared={shared} onClose={() => setOpen(false)} />}
    </div>
  )
}
