import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { LayoutList, MessageCircle, Pencil, Phone } from 'lucide-react'
import { localId } from '#schema/localConversation'
import type { Facts } from '#schema/port/question'
import { ask } from '../../data/ask.ts'
import { useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/format.ts'
import { registerFor } from '../../parts/links.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { classes } from '../../ui/classes.ts'
import { draftKeyOf } from '../messages/peer.ts'
import { quickFor } from '../messages/quick.ts'
import css from './Contact.module.css'
import { type ReactNode, useState } from 'react'
import { icon } from '../../ui/icon.tsx'
import type { ListingProps } from './Part.tsx'
import {
  type Channel,
  DemoNote,
  focus,
  openOutside,
  shownNumber,
  usePhone,
  useWhatsApp,
  WhatsAppLink,
} from './Phone.tsx'

const QUICK = 4

export function Contact({ listing, facts }: ListingProps & { facts: Facts<'listing.detail'> }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const navigate = useNavigate()

  if (facts.isOwner) return <Own listing={listing} />
  const open = listing.status === 'active' || listing.status === 'reserved'
  const { conversation } = facts

  async function write(text: string) {
    const conversationId = conversation ?? localId(listing.id)
    if (text !== '')
      await ask('draft.keep', { key: draftKeyOf(conversationId, listing.id, true), content: text })
    return navigate(
      token === null
        ? registerFor(`/messages/${conversationId}`)
        : { to: '/messages/{-$conversationId}', params: { conversationId } },
    )
  }

  if (!open && conversation === null) {
    return <p className={css.note}>{t`Cette annonce n’est plus disponible.`}</p>
  }
  const questions = quickFor('buyer', listing.category).slice(0, QUICK)
  return (
    <>
      <ContactBar listing={listing} onWrite={() => void write('')} />
      {conversation === null && (
        <div
          className={classes(chipRow, css.questions)}
          role="group"
          aria-label={t`Questions toutes prêtes`}
        >
          {questions.map((one) => (
            <Chip key={one.id} onClick={() => void write(translate(one))}>
              {translate(one)}
            </Chip>
          ))}
        </div>
      )}
    </>
  )
}

/** [S6.03]: no contact options; a refusal's reason and the way to edit. */
function Own({ listing: { id, status, more } }: ListingProps) {
  const { t } = useLingui()
  const refused = status === 'rejected'
  return (
    <>
      <p className={css.note}>
        {refused && more?.review_reason != null ? (
          <>
            {t`Raison du refus :`} <span dir="auto">{more.review_reason}</span>
          </>
        ) : (
          t`C’est votre annonce : les acheteurs voient ici comment vous joindre.`
        )}
      </p>
      <div className={css.bar}>
        <div className={css.actions}>
          <ButtonLink to="/dashboard" search={{ tab: 'listings' }} icon={LayoutList}>
            {t`Mes annonces`}
          </ButtonLink>
          <ButtonLink
            to="/create-listing"
            search={{ listing: id }}
            icon={Pencil}
            kind="main"
            className={css.write}
          >
            {refused ? t`Corriger` : t`Modifier`}
          </ButtonLink>
        </div>
      </div>
    </>
  )
}

/** At the bottom of a phone's screen [F06]. */
function ContactBar({ listing, onWrite }: ListingProps & { onWrite: () => void }) {
  const { t } = useLingui()
  const { phone, asking, fetchPhone, call } = usePhone(listing.id)
  const [asked, setAsked] = useState<Channel>('phone')
  const addressFor = useWhatsApp(listing)
  const whatsApp = { icon: WhatsApp, 'aria-label': 'WhatsApp', className: css.whatsapp }

  async function reach(channel: Channel) {
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
          <DemoNote phone={phone} className={css.note} />
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
              <Button {...whatsApp} disabled={asking} onClick={() => void reach('whatsapp')}>
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
              <WhatsAppLink
                {...whatsApp}
                ref={asked === 'whatsapp' ? focus : undefined}
                phone={phone}
                listing={listing}
              >
                <Label>WhatsApp</Label>
              </WhatsAppLink>
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

/** `short`: on a phone. Without room, only the icon is seen. */
function Label({ short, children }: { short?: string; children: ReactNode }) {
  return (
    <>
      <span className={classes(css.label, short !== undefined && css.wide)}>{children}</span>
      {short !== undefined && <span className={classes(css.label, css.narrow)}>{short}</span>}
    </>
  )
}

const WhatsApp = icon(
  'M3 21l1.7-4.6a9 9 0 1 1 3.3 3.1z' +
    'M9 8.2c0 3.6 3.2 6.8 6.8 6.8l.9-1.9-2.2-1.2-1 .9a5.6 5.6 0 0 1-2.3-2.3l.9-1L10.900 7.300z',
)
