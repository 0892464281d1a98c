import { useLingui } from '@lingui/react/macro'
import Phone from 'lucide-react/icons/phone'
import X from 'lucide-react/icons/x'
import { ask } from '../../data/ask.ts'
import { ButtonAnchor, IconButton } from '../../ui/Button.tsx'
import { demoNumber, shownNumber } from '../listing/phoneNumber.ts'
import { useWhatsApp } from '../listing/useWhatsApp.ts'
import css from './PhoneLine.module.css'
import type { Subject } from './ListingStrip.tsx'

/** The seller's number, once it was asked for. */
export function PhoneLine({
  phone,
  listing,
  onClose,
}: {
  phone: string
  listing: Subject
  onClose: () => void
}) {
  const { t } = useLingui()
  const addressFor = useWhatsApp(listing)
  return (
    <div className={css.phone} role="group" aria-label={t`Numéro du vendeur`}>
      <ButtonAnchor ref={focus} href={`tel:${phone}`} icon={Phone} kind="quiet">
        {shownNumber(phone)}
      </ButtonAnchor>
      <ButtonAnchor
        kind="quiet"
        href={addressFor(phone)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => void ask('listing.phone', { listing: listing.id, channel: 'whatsapp' })}
      >
        WhatsApp
      </ButtonAnchor>
      <IconButton label={t`Masquer le numéro`} icon={X} onClick={onClose} />
      {demoNumber(phone) && (
        <p className={css.note}>{t`Numéro de démonstration : l’appel n’est pas possible.`}</p>
      )}
    </div>
  )
}

function focus(link: HTMLAnchorElement | null): void {
  link?.focus()
}
