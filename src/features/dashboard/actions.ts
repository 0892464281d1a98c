import type { OwnListingDocument } from '#schema/disk/documents'

export type Action =
  | 'correct'
  | 'edit'
  | 'sell'
  | 'unsell'
  | 'reserve'
  | 'unreserve'
  | 'pause'
  | 'resume'
  | 'feature'
  | 'unfeature'
  | 'renew'
  | 'extend'
  | 'archive'
  | 'unarchive'
  | 'delete'

type State = Pick<OwnListingDocument, 'status' | 'is_featured' | 'is_sold' | 'review_status'>

/** Actions the server accepts in this state, the likeliest first [API 5.2]. */
export function actionsFor({
  status,
  is_featured: featured,
  is_sold: sold,
  review_status: review,
}: State): readonly [Action, ...Action[]] {
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
      ]
    case 'sold':
      return ['unsell', 'edit', 'archive', 'delete']
    case 'inactive':
      return ['resume', 'edit', 'sell', 'renew', 'extend', 'archive', 'delete']
    case 'expired':
      return ['renew', 'edit', 'extend', 'sell', 'archive', 'delete']
    case 'archived':
      return review === 'approved' && !sold
        ? ['unarchive', 'edit', 'renew', 'extend', 'delete']
        : ['unarchive', 'edit', 'delete']
    case 'rejected':
      return ['correct', 'archive', 'delete']
    default:
      return ['edit', 'archive', 'delete']
  }
}
