import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { ask, refresh } from '../../data/ask.ts'
import { useFormat } from '../../locales/format.ts'
import { whyNot } from '../../locales/problems.ts'
import { ButtonAnchor } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts.ts'

export type Channel = 'phone' | 'whatsapp'

export type Phone = ReturnType<typeof usePhone>

/** Fetched each time: counts the contact [S7.21], and scrapers get no number. */
export function usePhone(listing: string) {
  const { t } = useLingui()
  const [phone, setPhone] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function fetchPhone(channel: Channel) {
    setAsking(true)
    const outcome = await ask('listing.phone', { listing, channel })
    setAsking(false)
    if (outcome.kind === 'refused') refresh('listing.detail', { id: listing })
    if (outcome.kind !== 'done') {
      toast(whyNot(outcome), { tone: 'danger' })
      return null
    }
    if (outcome.answer.phone === null) toast(t`Ce vendeur préfère les messages.`)
    setPhone(outcome.answer.phone)
    return outcome.answer.phone
  }

  /** Opens the dialler of a phone. */
  async function call() {
    const number = await fetchPhone('phone')
    if (number === null || demoNumber(number) || !canLeave()) return
    if (matchMedia('(max-width: 900px) and (pointer: coarse)').matches)
      location.assign(`tel:${number}`)
  }

  return { phone, asking, fetchPhone, call, hide: () => setPhone(null) }
}

export function openOutside(address: string) {
  if (canLeave()) open(address, '_blank', 'noopener')
}

/** Browsers allow it some seconds after a tap; the answer may come later. */
function canLeave() {
  return navigator.userActivation?.isActive ?? true
}

type Contacted = Pick<ListingDocument, 'id' | 'title' | 'price'>

/** Writes to a number about a listing [F06]. */
export function useWhatsApp({ id, title, price }: Contacted): (phone: string) => string {
  const { t } = useLingui()
  const { money } = useFormat()
  const asked = price === null ? '' : ` (${money(price)})`
  return (phone) =>
    whatsapp(
      phone,
      t`Bonjour, votre annonce « ${title} »${asked} m’intéresse : \
${`${location.origin}/listings/${id}`}`,
    )
}

export function WhatsAppLink({
  phone,
  listing,
  ...rest
}: ComponentProps<typeof ButtonAnchor> & { phone: string; listing: Contacted }) {
  const addressFor = useWhatsApp(listing)
  return (
    <ButtonAnchor
      {...rest}
      href={addressFor(phone)}
      target="_blank"
      rel="noopener noreferrer"
      onClick={() => void ask('listing.phone', { listing: listing.id, channel: 'whatsapp' })}
    />
  )
}

export function DemoNote({ phone, className }: { phone: string; className: string | undefined }) {
  const { t } = useLingui()
  return (
    demoNumber(phone) && (
      <p className={className}>{t`Numéro de démonstration : l’appel n’est pas possible.`}</p>
    )
  )
}

/** A `ref` for the link that replaces the tapped button. */
export function focus(link: HTMLAnchorElement | null) {
  link?.focus()
}

/** "+226 70 12 34 56": large text may wrap. */
export function shownNumber(phone: string) {
  const own = /^\+226(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(phone)
  return own ? ['+226', ...own.slice(1)].join(' ') : phone
}

/** Of an unassigned series (users.json, `demo_series`). */
export function demoNumber(phone: string) {
  return /^\+22609\d{6}$/.test(phone)
}

export function whatsapp(phone: string, text: string) {
  return `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`
}
