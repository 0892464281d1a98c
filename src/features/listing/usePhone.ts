import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ask, refresh } from '../../data/ask.ts'
import { whyNot } from '../../locales/problems.ts'
import { toast } from '../../ui/toasts.ts'
import { dial } from './dial.ts'
import { demoNumber } from './phoneNumber.ts'

export type Channel = 'phone' | 'whatsapp'

export type Phone = ReturnType<typeof usePhone>

/** Fetched each time: the request counts the contact [S7.21], and scrapers get no number. */
export function usePhone(listing: string) {
  const { t } = useLingui()
  const [phone, setPhone] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  /** The number, or null after saying why there is none. */
  async function fetchPhone(channel: Channel): Promise<string | null> {
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

  async function call(): Promise<void> {
    const number = await fetchPhone('phone')
    if (number !== null && !demoNumber(number)) dial(number)
  }

  return { phone, asking, fetchPhone, call, hide: () => setPhone(null) }
}
