import { elides } from '#schema/elision'
import { NOTIFICATION_CONTENT_MAX } from '#schema/limits'
import type { Notification } from '#schema/wire/notification'
import type { Language } from '#schema/wire/shapes'
import { pick } from '#schema/pick'
import type { Row } from '../db/tables.ts'
import { filled } from '../route/index.ts'
import type { Fact } from './fact.ts'
import texts from './texts.json' with { type: 'json' }

export const ACTOR = ['id', 'username', 'slug', 'avatar'] as const
export type Actor = Pick<Row<'app_user'>, (typeof ACTOR)[number]>

export type LoggedEvent = Readonly<{
  eventId: string
  /** null when it is not in the list of notifications. */
  notificationId: string | null
  ts: string
  read: boolean
  actor: Actor | null
  fact: Fact
}>

type Presentation = Readonly<{
  title?: string
  message?: string
  url: string | null
  severity?: Notification['severity']
  tag: string
  image?: string | null
  icon?: string | null
  meta?: Readonly<Record<string, unknown>>
  listing?: string
  conversation?: string
}>

/** [API 4.9] */
export function render(logged: LoggedEvent, language: Language): Notification {
  const presentation = presentationOf(logged, language)
  const { fact } = logged
  return {
    id: logged.notificationId,
    event: fact.event,
    event_id: logged.eventId,
    ts: logged.ts,
    title: presentation.title ?? '',
    message: fact.event === 'message.created' ? shortMessage(fact) : (presentation.message ?? ''),
    conversation_id: presentation.conversation ?? null,
    listing_id: presentation.listing ?? null,
    url: presentation.url,
    from_user: logged.actor && pick(logged.actor, ['id', 'username', 'avatar']),
    severity: presentation.severity ?? 'info',
    icon: presentation.icon ?? null,
    image: presentation.image ?? null,
    tag: presentation.tag,
    meta: {
      ...(presentation.conversation !== undefined && { conversationId: presentation.conversation }),
      ...(presentation.listing !== undefined && { listingId: presentation.listing }),
      count: 1,
      ...presentation.meta,
    },
    read: logged.notificationId === null || logged.read,
  }
}

function presentationOf(
  { fact, actor, notificationId, eventId }: LoggedEvent,
  language: Language,
): Presentation {
  const who = actor?.username ?? ''
  const translated = (name: keyof typeof texts, more: Readonly<Record<string, number>> = {}) =>
    filled(texts[name][language], { who, of: elides(who) ? 'd’' : 'de ', ...more })
  switch (fact.event) {
    case 'message.created':
      return {
        title: translated('message.created'),
        url: `/messages/${fact.conversation}`,
        tag: `message:${fact.conversation}`,
        image: fact.image,
        conversation: fact.conversation,
        listing: fact.listing,
      }
    case 'conversation.updated':
      return {
        url: `/messages/${fact.conversation}`,
        tag: `conversation:${fact.conversation}`,
        conversation: fact.conversation,
        listing: fact.listing,
      }
    case 'listing.published':
      return ofListing(fact, translated('listing.published'), 'success')
    case 'listing.reviewed':
      return reviewed(fact, language)
    case 'listing.new_from_followed':
      return ofListing(fact, translated('listing.new_from_followed'))
    case 'listing.phone_viewed':
      return {
        ...ofListing(fact, translated('listing.phone_viewed')),
        tag: `phone:${fact.listing}`,
      }
    case 'listing.expiring':
      return {
        ...ofListing(
          fact,
          translated(fact.days_left === 0 ? 'listing.expired' : 'listing.expiring'),
          'warning',
        ),
        meta: { days_left: fact.days_left },
      }
    case 'follow.created':
      return {
        title: translated('follow.created'),
        message: translated('follow.created.message'),
        url: actor?.slug ? `/shop/${actor.slug}` : null,
        tag: `follow:${actor?.id ?? ''}`,
      }
    case 'saved_search.matched':
      return {
        title: translated(fact.new_count === 1 ? 'saved_search.one' : 'saved_search.many', {
          new_count: fact.new_count,
        }),
        message: fact.name,
        url: `/listings?saved_search=${fact.search}`,
        tag: `search:${fact.search}`,
        meta: { savedSearchId: fact.search, newCount: fact.new_count },
      }
    case 'review.created':
      return {
        title: translated('review.created', { rating: fact.rating }),
        message: cut(fact.comment, NOTIFICATION_CONTENT_MAX),
        url: `/shop/${fact.slug}`,
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
        url: null,
        tag: 'notification.read',
        meta: { ids: fact.ids, upTo: fact.upTo },
      }
  }
}

type OfListing = Extract<Fact, { title: string; listing: string }>

function ofListing(
  fact: OfListing,
  title: string,
  severity: Notification['severity'] = 'info',
): Presentation {
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
  language: Language,
): Presentation {
  const meta = {
    decision: fact.decision,
    ...(fact.reason_code === undefined ? {} : { reason_code: fact.reason_code }),
  }
  if (fact.decision === 'approved')
    return { ...ofListing(fact, texts['listing.approved'][language], 'success'), meta }
  const presentation = ofListing(fact, texts['listing.rejected'][language], 'warning')
  if (fact.reason === null) return { ...presentation, meta }
  const reason = typeof fact.reason === 'string' ? fact.reason : fact.reason[language]
  return {
    ...presentation,
    message: filled(texts['listing.rejected.message'][language], { title: fact.title, reason }),
    meta: { ...meta, reason },
  }
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

export function cut(text: string, max: number) {
  const letters = Array.from(text)
  return letters.length <= max ? text : `${letters.slice(0, max - 1).join('')}…`
}
