import type { OwnListingDocument } from '#schema/disk/documents'

export type Action = 'sell' | 'unsell' | 'reserve' | 'unreserve' | 'pause' | 'resume' | 'feature' | 'unfeature' | 'renew' | 'archive' | 'unarchive' | 'delete'

type State = Pick<OwnListingDocument, 'status' | 'is_featured' | 'is_sold' | 'review_status'>

/** What the server would take in this state, the likeliest first (API.md 5.2). */
export function actionsFor({ status, is_featured: featured, is_sold: sold, review_status: review }: State): readonly [Action, ...Action[]] {
  switch (status) {
    case 'active':
      return ['sell', 'reserve', 'pause', featured ? 'unfeature' : 'feature', 'renew', 'archive', 'delete']
    case 'reserved':
      return ['sell', 'unreserve', 'pause', featured ? 'unfeature' : 'feature', 'renew', 'archive', 'delete']
    case 'sold':
      return ['unsell', 'archive', 'delete']
    case 'inactive':
      return ['resume', 'sell', 'renew', 'archive', 'delete']
    case 'expired':
      return ['renew', 'sell', 'archive', 'delete']
    case 'archived':
      return review === 'approved' && !sold ? ['unarchive', 'renew', 'delete'] : ['unarchive', 'delete']
    default:
      return ['archive', 'delete']
  }
}
