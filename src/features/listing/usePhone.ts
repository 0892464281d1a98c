import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ask, refresh } from '../../data/ask.ts'
import { whyNot } from '../../locales/problems.ts'
import { toast } from '../../ui/toasts.ts'

export type Channel = 'phone' | 'whatsapp'

/** Fetched each time: the request counts the contact [S7.21], and scrapers get no number. */
export function usePhone(listing: string): {
  readonly phone: string | null
  readonly asking: boolean
  /** The number, or null after saying why there is none. */
  fetchPhone: (channel: Channel) => Promise<string | null>
} {
  const { t } = useLingui()
  const [phone, setPhone] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

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

  return { phone, asking, fetchPhone }
}
