import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import MessageCircle from 'lucide-react/icons/message-circle'
import Pencil from 'lucide-react/icons/pencil'
import Phone from 'lucide-react/icons/phone'
import { useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { localId } from '#schema/localConversation'
import type { Facts } from '#schema/port/question'
import { ask, refresh } from '../../data/ask.ts'
import { useSession } from '../../data/session.ts'
import { useFormat } from '../../locales/format.ts'
import { whyNot } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './Contact.module.css'
import { draftKeyOf } from '../messages/peer.ts'
import { quickFor } from '../messages/quick.ts'
import { demoNumber, shownNumber, whatsapp } from './phoneNumber.ts'
import { registerFor } from '../../parts/links.ts'

const QUICK = 4

export function Contact({
  listing,
  facts,
}: {
  listing: ListingDocument
  facts: Facts<'listing.detail'>
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const navigate = useNavigate()

  if (facts.isOwner) return <Own listing={listing} />
  const open = listing.status === 'active' || listing.status === 'reserved'
  const { conversation } = facts

  async function write(text: string): Promise<void> {
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
    return <p className={css.own}>{t`Cette annonce n’est plus disponible.`}</p>
  }
  const questions = quickFor('buyer', listing.category).slice(0, QUICK)
  return (
    <>
      {conversation === null && (
        <div className={chipRow} role="group" aria-label={t`Questions toutes prêtes`}>
          {questions.map((one) => (
            <Chip key={one.id} onClick={() => void write(translate(one))}>
              {translate(one)}
            </Chip>
          ))}
        </div>
      )}
      <div className={css.bar}>
        {listing.has_phone && <Number listing={listing} />}
        <Button
          kind="main"
          icon={MessageCircle}
          className={css.write}
          onClick={() => void write('')}
        >
          {t`Envoyer un message`}
        </Button>
      </div>
    </>
  )
}

/** Fetched each time: the request counts the contact [S7.21], and scrapers get no number. */
function Number({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const [phone, setPhone] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function show(): Promise<void> {
    setAsking(true)
    const outcome = await ask('listing.phone', { listing: listing.id, channel: 'phone' })
    setAsking(false)
    if (outcome.kind === 'refused') refresh('listing.detail', { id: listing.id })
    if (outcome.kind !== 'done') return toast(whyNot(outcome), { tone: 'danger' })
    if (outcome.answer.phone === null) return toast(t`Ce vendeur préfère les messages.`)
    setPhone(outcome.answer.phone)
  }

  if (phone === null) {
    return (
      <Button icon={Phone} disabled={asking} onClick={() => void show()}>
        {t`Afficher le numéro`}
      </Button>
    )
  }
  const price = listing.price === null ? '' : ` (${money(listing.price)})`
  const text = t`Bonjour, je suis intéressé par « ${listing.title} »${price} : \
${`${location.origin}/listings/${listing.id}`}`
  return (
    <div className={css.number}>
      <ButtonAnchor ref={focus} href={`tel:${phone}`} icon={Phone}>
        {shownNumber(phone)}
      </ButtonAnchor>
      <ButtonAnchor
        href={whatsapp(phone, text)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => void ask('listing.phone', { listing: listing.id, channel: 'whatsapp' })}
      >
        WhatsApp
      </ButtonAnchor>
      {demoNumber(phone) && (
        <p className={css.own}>{t`Numéro de démonstration : l’appel n’est pas possible.`}</p>
      )}
      <p className={css.own}>{t`Ne payez pas d’avance et ne donnez jamais un code.`}</p>
    </div>
  )
}

function focus(link: HTMLAnchorElement | null): void {
  link?.focus()
}

/** [S6.03]: the owner sees no contact options, but a refusal's reason and the edit link. */
function Own({ listing: { id, status, more } }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const refused = status === 'rejected'
  return (
    <div className={css.own}>
      {refused && more?.review_reason != null ? (
        <p>
          {t`Raison du refus :`} <span dir="auto">{more.review_reason}</span>
        </p>
      ) : (
        <p>{t`C’est votre annonce : les acheteurs voient ici comment vous joindre.`}</p>
      )}
      <ButtonLink
        to="/create-listing"
        search={{ listing: id }}
        icon={Pencil}
        kind={refused ? 'main' : 'plain'}
      >
        {refused ? t`Corriger` : t`Modifier`}
      </ButtonLink>
    </div>
  )
}
