import { useLingui } from '@lingui/react/macro'
import MessageCircle from 'lucide-react/icons/message-circle'
import Phone from 'lucide-react/icons/phone'
import { type ReactNode, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { ask } from '../../data/ask.ts'
import { Button, ButtonAnchor } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import css from './Contact.module.css'
import { openOutside } from './dial.ts'
import { demoNumber, shownNumber } from './phoneNumber.ts'
import { type Channel, usePhone } from './usePhone.ts'
import { useWhatsApp } from './useWhatsApp.ts'
import { WhatsApp } from './WhatsApp.tsx'

/** Call, WhatsApp and message in one line, at the bottom of a phone's screen [F06]. */
export function ContactBar({
  listing,
  onWrite,
}: {
  listing: ListingDocument
  onWrite: () => void
}) {
  const { t } = useLingui()
  const { phone, asking, fetchPhone, call } = usePhone(listing.id)
  const [asked, setAsked] = useState<Channel>('phone')
  const addressFor = useWhatsApp(listing)

  async function reach(channel: Channel): Promise<void> {
    setAsked(channel)
    if (channel === 'phone') return call()
    const number = await fetchPhone(channel)
    if (number !== null) openOutside(addressFor(number))
  }

  return (
    <div className={css.bar}>
      {phone !== null && (
        <div className={css.number}>
          <strong className={css.digits}>{shownNumber(phone)}</strong>
          {demoNumber(phone) && (
            <p className={css.note}>{t`Numéro de démonstration : l’appel n’est pas possible.`}</p>
          )}
          <p className={css.note}>{t`Ne payez pas d’avance et ne donnez jamais un code.`}</p>
        </div>
      )}
      <div className={css.actions}>
        {listing.has_phone &&
          (phone === null ? (
            <>
              <Button
                icon={Phone}
                aria-label={t`Afficher le numéro`}
                disabled={asking}
                onClick={() => void reach('phone')}
              >
                <Label short={t`Numéro`}>{t`Afficher le numéro`}</Label>
              </Button>
              <Button
                icon={WhatsApp}
                aria-label="WhatsApp"
                className={css.whatsapp}
                disabled={asking}
                onClick={() => void reach('whatsapp')}
              >
                <Label>WhatsApp</Label>
              </Button>
            </>
          ) : (
            <>
              <ButtonAnchor
                ref={asked === 'phone' ? focus : undefined}
                href={`tel:${phone}`}
                icon={Phone}
                aria-label={t`Appeler le ${shownNumber(phone)}`}
              >
                <Label short={t`Appeler`}>{shownNumber(phone)}</Label>
              </ButtonAnchor>
              <ButtonAnchor
                ref={asked === 'whatsapp' ? focus : undefined}
                href={addressFor(phone)}
                target="_blank"
                rel="noopener noreferrer"
                icon={WhatsApp}
                aria-label="WhatsApp"
                className={css.whatsapp}
                onClick={() =>
                  void ask('listing.phone', { listing: listing.id, channel: 'whatsapp' })
                }
              >
                <Label>WhatsApp</Label>
              </ButtonAnchor>
            </>
          ))}
        <Button
          kind="main"
          icon={MessageCircle}
          aria-label={t`Envoyer un message`}
          className={css.write}
          onClick={onWrite}
        >
          <Label short={t({ message: 'Message', context: 'bouton' })}>
            {t`Envoyer un message`}
          </Label>
        </Button>
      </div>
    </div>
  )
}

/** `short`: on a phone. Without room for it, only the icon is seen (Contact.module.css). */
function Label({ short, children }: { short?: string; children: ReactNode }) {
  return (
    <>
      <span className={classes(css.label, short !== undefined && css.wide)}>{children}</span>
      {short !== undefined && <span className={classes(css.label, css.narrow)}>{short}</span>}
    </>
  )
}

function focus(link: HTMLAnchorElement | null): void {
  link?.focus()
}
