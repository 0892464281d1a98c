import { NOTIFICATION_CONTENT_MAX } from '#schema/limits'
import type { Notification } from '#schema/wire/notification'
import type { Language } from '#schema/wire/shapes'
import type { Fact } from './fact.ts'

/** The actor of an event, as the account is now. */
interface Actor {
  readonly id: string
  readonly username: string
  readonly slug: string | null
  readonly avatar: string | null
}

export interface LoggedEvent {
  readonly eventId: string
  /** null when it is not in the list of notifications. */
  readonly notificationId: string | null
  readonly ts: string
  readonly read: boolean
  readonly actor: Actor | null
  readonly fact: Fact
}

interface Words {
  readonly title: string
  readonly message: string
  readonly url: string | null
  readonly severity: Notification['severity']
  readonly tag: string
  readonly image?: string | null
  readonly icon?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
  readonly listing?: string
  readonly conversation?: string
}

/** [API 4.9] */
export function render(logged: LoggedEvent, language: Language): Notification {
  const words = wordsOf(logged, language)
  const { fact } = logged
  return {
    id: logged.notificationId,
    event: fact.event,
    event_id: logged.eventId,
    ts: logged.ts,
    title: words.title,
    message: fact.event === 'message.created' ? shortMessage(fact) : words.message,
    conversation_id: words.conversation ?? null,
    listing_id: words.listing ?? null,
    url: words.url,
    from_user: logged.actor && {
      id: logged.actor.id,
      username: logged.actor.username,
      avatar: logged.actor.avatar,
    },
    severity: words.severity,
    icon: words.icon ?? null,
    image: words.image ?? null,
    tag: words.tag,
    meta: {
      ...(words.conversation === undefined ? {} : { conversationId: words.conversation }),
      ...(words.listing === undefined ? {} : { listingId: words.listing }),
      count: 1,
      ...words.meta,
    },
    read: logged.notificationId === null || logged.read,
  }
}

function wordsOf({ fact, actor, notificationId, eventId }: LoggedEvent, language: Language): Words {
  const say = (fr: string, en: string) => (language === 'en' ? en : fr)
  const who = actor?.username ?? ''
  switch (fact.event) {
    case 'message.created':
      return {
        title: say(`Nouveau message de ${who}`, `New message from ${who}`),
        message: '',
        url: `/messages/${fact.conversation}`,
        severity: 'info',
        tag: `message:${fact.conversation}`,
        image: fact.image,
        conversation: fact.conversation,
        listing: fact.listing,
      }
    case 'conversation.updated':
      return {
        title: '',
        message: '',
        url: `/messages/${fact.conversation}`,
        severity: 'info',
        tag: `conversation:${fact.conversation}`,
        conversation: fact.conversation,
        listing: fact.listing,
      }
    case 'listing.published':
      return ofListing(fact, say('Votre annonce est en ligne', 'Your listing is online'), 'success')
    case 'listing.reviewed':
      return reviewed(fact, say, language)
    case 'listing.new_from_followed':
      return ofListing(fact, say(`Nouvelle annonce de ${who}`, `New listing from ${who}`), 'info')
    case 'listing.phone_viewed': {
      const words = ofListing(
        fact,
        say('Votre numéro a été consulté', 'Your phone number was viewed'),
        'info',
      )
      return { ...words, tag: `phone:${fact.listing}` }
    }
    case 'listing.expiring': {
      const title =
        fact.days_left === 0
          ? say('Votre annonce a expiré', 'Your listing has expired')
          : say('Votre annonce expire dans 3 jours', 'Your listing expires in 3 days')
      return { ...ofListing(fact, title, 'warning'), meta: { days_left: fact.days_left } }
    }
    case 'follow.created':
      return {
        title: say('Nouvel abonné', 'New follower'),
        message: say(`${who} vous suit`, `${who} follows you`),
        url: actor?.slug ? `/shop/${actor.slug}` : null,
        severity: 'info',
        tag: `follow:${actor?.id ?? ''}`,
      }
    case 'saved_search.matched':
      return {
        title: matches(fact.new_count, language),
        message: fact.name,
        url: `/listings?saved_search=${fact.search}`,
        severity: 'info',
        tag: `search:${fact.search}`,
        meta: { savedSearchId: fact.search, newCount: fact.new_count },
      }
    case 'review.created':
      return {
        title: say(`Nouvel avis : ${fact.rating}/5`, `New review: ${fact.rating}/5`),
        message: cut(fact.comment, NOTIFICATION_CONTENT_MAX),
        url: `/shop/${fact.slug}`,
        severity: 'info',
        tag: `review:${actor?.id ?? ''}`,
        meta: { rating: fact.rating },
      }
    case 'admin.announcement':
      return {
        title: fact.title[language],
        message: fact.message[language],
        url: fact.url,
        severity: fact.severity,
        tag: `announcement:${notificationId ?? eventId}`,
        icon: fact.icon,
      }
    case 'notification.read':
      return {
        title: '',
        message: '',
        url: null,
        severity: 'info',
        tag: 'notification.read',
        meta: { ids: fact.ids, upTo: fact.upTo },
      }
  }
}

type OfListing = Extract<Fact, { title: string; listing: string }>

function ofListing(fact: OfListing, title: string, severity: Words['severity']): Words {
  return {
    title,
    message: fact.title,
    url: `/listings/${fact.listing}`,
    severity,
    tag: `listing:${fact.listing}`,
    image: fact.image,
    listing: fact.listing,
  }
}

function reviewed(
  fact: Extract<Fact, { event: 'listing.reviewed' }>,
  say: (fr: string, en: string) => string,
  language: Language,
): Words {
  const meta = {
    decision: fact.decision,
    ...(fact.reason_code === undefined ? {} : { reason_code: fact.reason_code }),
  }
  if (fact.decision === 'approved')
    return { ...ofListing(fact, say('Annonce approuvée', 'Listing approved'), 'success'), meta }
  const words = ofListing(fact, say('Annonce refusée', 'Listing rejected'), 'warning')
  if (fact.reason === null) return { ...words, meta }
  const reason = typeof fact.reason === 'string' ? fact.reason : fact.reason[language]
  return {
    ...words,
    message: say(`${fact.title} : ${reason}`, `${fact.title}: ${reason}`),
    meta: { ...meta, reason },
  }
}

function matches(n: number, language: Language): string {
  if (language === 'en')
    return n === 1 ? '1 new listing for your search' : `${n} new listings for your search`
  return n === 1
    ? '1 nouvelle annonce pour votre recherche'
    : `${n} nouvelles annonces pour votre recherche`
}

function shortMessage(fact: Extract<Fact, { event: 'message.created' }>) {
  const { id, seq, content } = fact.message
  return {
    content: cut(content, NOTIFICATION_CONTENT_MAX),
    conversation: fact.conversation,
    id,
    seq,
  }
}

/** Counts code points; the last one is an ellipsis when the text is cut. */
export function cut(text: string, max: number): string {
  const letters = Array.from(text)
  return letters.length <= max ? text : `${letters.slice(0, max - 1).join('')}…`
}
