import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { elides } from '#schema/elision'
import type { NotificationDocument } from '#schema/disk/documents'
import type { Sentence } from '../../locales/problems.ts'
import { ownPath } from '../auth/next.ts'

type About = Pick<NotificationDocument, 'event' | 'title' | 'message' | 'from_user' | 'meta'>

/** [S3.14] [API 4.9] */
export function describe(notification: About) {
  const { event, message, from_user } = notification
  const text = typeof message === 'string' ? message : message.content
  const username = from_user?.username ?? ''
  return {
    title: titleOf(notification),
    body: event === 'follow.created' ? msg`${username} vous suit` : text,
  }
}

/** An unknown event shows the server's text. */
function titleOf({ event, title, from_user, meta }: About): Sentence {
  const username = from_user?.username ?? ''
  switch (event) {
    case 'message.created':
      return messagesOf(username, meta.count)
    case 'listing.published':
      return msg`Votre annonce est en ligne`
    case 'listing.reviewed':
      return meta.decision === 'rejected' ? msg`Annonce refusée` : msg`Annonce approuvée`
    case 'listing.new_from_followed':
      return elides(username)
        ? msg`Nouvelle annonce d’${username}`
        : msg`Nouvelle annonce de ${username}`
    case 'follow.created':
      return msg`Nouvel abonné`
    case 'listing.phone_viewed':
      return msg`Votre numéro a été consulté`
    case 'listing.expiring':
      return meta['days_left'] === 0 ? msg`Votre annonce a expiré` : expiresIn(meta['days_left'])
    case 'saved_search.matched': {
      const matches = numberOf(meta['newCount'])
      return msg`${plural(matches, {
        one: '# nouvelle annonce',
        other: '# nouvelles annonces',
      })} pour votre recherche`
    }
    case 'review.created': {
      const rating = numberOf(meta['rating'])
      return msg`Nouvel avis : ${rating}/5`
    }
    default:
      return title
  }
}

function messagesOf(username: string, count: number) {
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

function numberOf(value: unknown) {
  return typeof value === 'number' && Number.isFinite(value) ? value : 1
}

/** [S4.18] */
export function destinationOf(
  notification: Pick<NotificationDocument, 'conversation_id' | 'listing_id' | 'url' | 'meta'>,
  origin: string,
) {
  const conversation = notification.conversation_id ?? notification.meta.conversationId
  if (conversation !== undefined) return `/messages/${encodeURIComponent(conversation)}`
  const listing = notification.listing_id ?? notification.meta.listingId
  if (listing !== undefined) return `/listings/${encodeURIComponent(listing)}`
  return ownPath(notification.url, origin)
}
