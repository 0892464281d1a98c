import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ListingStatus } from '#schema/wire/listing'
import { ask } from '../../data/ask.ts'
import { whyNot } from '../../locales/problems.ts'
import { toast } from '../../ui/toasts.ts'
import { dial } from '../listing/dial.ts'
import { demoNumber } from '../listing/phoneNumber.ts'

export interface Call {
  readonly phone: string | null
  readonly asking: boolean
  readonly reveal: () => void
  readonly hide: () => void
}

/**
 * The seller's number, fetched when asked for: the request counts the contact [S7.21]. null: there
 * is nobody to call.
 */
export function useCall(listing: string, status: ListingStatus, buys: boolean): Call | null {
  const { t } = useLingui()
  const [phone, setPhone] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function reveal(): Promise<void> {
    setAsking(true)
    const outcome = await ask('listing.phone', { listing, channel: 'phone' })
    setAsking(false)
    if (outcome.kind !== 'done') return toast(whyNot(outcome), { tone: 'danger' })
    const number = outcome.answer.phone
    if (number === null) return toast(t`Ce vendeur préfère les messages.`)
    setPhone(number)
    if (!demoNumber(number)) dial(number)
  }

  if (!buys || (status !== 'active' && status !== 'reserved')) return null
  return { phone, asking, reveal: () => void reveal(), hide: () => setPhone(null) }
}
