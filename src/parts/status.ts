import { useLingui } from '@lingui/react/macro'
import type { ListingStatus } from '#schema/wire/listing'

/** [API 5.1]; an active listing has none. */
export function useStatusLabels(): Partial<Record<ListingStatus, string>> {
  const { t } = useLingui()
  return {
    sold: t`Vendu`,
    reserved: t`Réservé`,
    pending: t`En attente de validation`,
    rejected: t`Refusée`,
    inactive: t`En pause`,
    archived: t`Archivée`,
    expired: t`Expirée`,
  }
}
