import { useLingui } from '@lingui/react/macro'
import type { SellerMini } from '#schema/wire/shapes'

type Named = Pick<SellerMini, 'shop_name' | 'username'> & Partial<Pick<SellerMini, 'deleted'>>

/** [API 4.2] */
export function useNameOf(): (person: Named | null) => string {
  const { t } = useLingui()
  return (person) =>
    person === null || person.deleted === true
      ? t`Compte supprimé`
      : (person.shop_name ?? person.username)
}
