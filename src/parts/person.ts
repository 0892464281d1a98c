import { useLingui } from '@lingui/react/macro'
import type { SellerMini } from '#schema/wire/shapes'

type Named = Pick<SellerMini, 'shop_name' | 'username'> & Partial<Pick<SellerMini, 'deleted'>>

/** A deleted account [API 4.2] has a translated label instead of the server's placeholder. */
export function useNameOf(): (person: Named | null) => string {
  const { t } = useLingui()
  return (person) =>
    person === null || person.deleted === true
      ? t`Compte supprimé`
      : (person.shop_name ?? person.username)
}
