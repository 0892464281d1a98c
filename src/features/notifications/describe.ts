import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { elides } from '#schema/elision'
import type { NotificationDocument } from '#schema/disk/documents'
import { ownPath } from '../auth/next.ts'

type About = Pick<NotificationDocument, 'event' | 'title' | 'message' | 'from_user' | 'meta'>

/** [S3.14] [API 4.9]; an unknown event shows the server's text. */
export function describe(notification: About) {
  const { message, meta } = notification
  const body = typeof message === 'string' ? message : message.content
  const username = notification.from_user?.username ?? ''
  switch (notification.event) {
    case 'message.created':
      return { title: messagesOf(username, meta.count), body }
    case 'listing.published':
      return { title: msg`Votre annonce est en ligne`, body }
    case 'listing.reviewed':
      return {
        title: meta.decision === 'rejected' ? msg`Annonce refusée` : msg`Annonce approuvée`,
        body,
      }
    case 'listing.new_from_followed':
      return {
        title: elides(username)
          ? msg`Nouvelle annonce d’${username}`
          : msg`Nouvelle annonce de ${username}`,
        body,
      }
    case 'follow.created':
      return { title: msg`Nouvel abonné`, body: msg`${username} vous suit` }
    case 'listing.phone_viewed':
      return { title: msg`Votre numéro a été consulté`, body }
    case 'listing.expiring':
      return {
        title: meta['days_left'] === 0 ? msg`Votre annonce a expiré` : expiresIn(meta['days_left']),
        body,
      }
    case 'saved_search.matched': {
      const matches = numberOf(meta['newCount'])
      return {
        title: msg`${plural(matches, {
          one: '# nouvelle annonce',
          other: '# nouvelles annonces',
        })} pour votre recherche`,
        body,
      }
    }
    case 'review.created': {
      const rating = numberOf(meta['rating'])
      return { title: msg`Nouvel avis : ${rating}/5`, body }
    }
    default:
      return { title: notification.title, body }
  }
}

function messagesOf(username: string, count: number): MessageDescriptor {
  if (count <= 1)
    return elides(username)
      ? msg`Nouveau message d’${username}`
      : msg`Nouveau message de ${username}`
  return elides(username)
    ? msg`${plural(count, { one: '# nouveau message', other: '# nouveaux messages' })} d’${username}`
    : msg`${plural(count, { one: '# nouveau message', other: '# nouveaux messages' })} de ${username}`
}

function expiresIn(daysLeft: unknown): MessageDescriptor {
  const days = numberOf(daysLeft)
  return msg`Votre annonce expire dans ${plural(days, { one: '# jour', other: '# jours' })}`
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 1
}

/** [S4.18] */
export function destinationOf(
  notification: Pick<NotificationDocument, 'conversation_id' | 'listing_id' | 'url' | 'meta'>,
  origin: string,
): string | null {
  const conversation = notification.conversation_id ?? notification.meta.conversationId
  if (conversation !== undefined) return `/messages/${encodeURIComponent(conversation)}`
  const listing = notification.listing_id ?? notification.meta.listingId
  if (listing !== undefined) return `/listings/${encodeURIComponent(listing)}`
  return ownPath(notification.url, origin)
}
