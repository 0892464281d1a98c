import type { OwnListingDocument } from '#schema/disk/documents'

type State = Pick<OwnListingDocument, 'status' | 'is_featured' | 'is_sold' | 'review_status'>

export type Action = ReturnType<typeof actionsFor>[number]

/** The likeliest first [API 5.2]. */
export function actionsFor({
  status,
  is_featured: featured,
  is_sold: sold,
  review_status: review,
}: State) {
  switch (status) {
    case 'active':
    case 'reserved':
      return [
        'sell',
        'edit',
        status === 'active' ? 'reserve' : 'unreserve',
        'pause',
        featured ? 'unfeature' : 'feature',
        'renew',
        'extend',
        'archive',
        'delete',
      ] as const
    case 'sold':
      return ['unsell', 'edit', 'archive', 'delete'] as const
    case 'inactive':
      return ['resume', 'edit', 'sell', 'renew', 'extend', 'archive', 'delete'] as const
    case 'expired':
      return ['renew', 'edit', 'extend', 'sell', 'archive', 'delete'] as const
    case 'archived':
      return review === 'approved' && !sold
        ? (['unarchive', 'edit', 'renew', 'extend', 'delete'] as const)
        : (['unarchive', 'edit', 'delete'] as const)
    case 'rejected':
      return ['correct', 'archive', 'delete'] as const
    default:
      return ['edit', 'archive', 'delete'] as const
  }
}
