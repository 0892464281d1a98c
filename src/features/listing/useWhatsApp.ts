import { useLingui } from '@lingui/react/macro'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { whatsapp } from './phoneNumber.ts'

/** The address that writes to a number about a listing [F06]. */
export function useWhatsApp({
  id,
  title,
  price,
}: Pick<ListingDocument, 'id' | 'title' | 'price'>): (phone: string) => string {
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
