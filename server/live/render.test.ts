import { expect, test } from 'vitest'
import * as v from 'valibot'
import { eventName, notification } from '#schema/wire/notification'
import { fact as stored, type Fact } from './fact.ts'
import { cut, render, type LoggedEvent } from './render.ts'

const actor = { id: 'U1', username: 'user1', slug: 'user-1', avatar: null }
const logged = (fact: Fact, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  eventId: 'E1',
  notificationId: 'N1',
  ts: '2026-03-01T09:15:04.200Z',
  read: false,
  actor,
  fact,
  ...more,
})
const listing = { listing: 'L1', title: 'Toyota Corolla 2012', image: '/media/images/8f/320.webp' }

const rows: [Fact, string, string, Record<string, unknown>][] = [
  [
    {
      event: 'message.created',
      conversation: 'C1',
      listing: 'L1',
      image: null,
      message: { id: 'M1', seq: 41, content: 'Bonjour' },
    },
    'Nouveau message d’user1',
    'New message from user1',
    {
      message: { content: 'Bonjour', conversation: 'C1', id: 'M1', seq: 41 },
      url: '/messages/C1',
      tag: 'message:C1',
      severity: 'info',
      meta: { conversationId: 'C1', listingId: 'L1', count: 1 },
    },
  ],
  [
    { event: 'listing.published', ...listing },
    'Votre annonce est en ligne',
    'Your listing is online',
    {
      message: 'Toyota Corolla 2012',
      severity: 'success',
      url: '/listings/L1',
      tag: 'listing:L1',
      image: listing.image,
    },
  ],
  [
    { event: 'listing.reviewed', ...listing, decision: 'approved', reason: null },
    'Annonce approuvée',
    'Listing approved',
    { severity: 'success', meta: { listingId: 'L1', count: 1, decision: 'approved' } },
  ],
  [
    { event: 'listing.reviewed', ...listing, decision: 'rejected', reason: 'photo floue' },
    'Annonce refusée',
    'Listing rejected',
    {
      severity: 'warning',
      message: 'Toyota Corolla 2012 : photo floue',
      meta: { listingId: 'L1', count: 1, decision: 'rejected', reason: 'photo floue' },
    },
  ],
  [
    { event: 'listing.new_from_followed', ...listing },
    'Nouvelle annonce d’user1',
    'New listing from user1',
    { tag: 'listing:L1', severity: 'info' },
  ],
  [
    { event: 'follow.created' },
    'Nouvel abonné',
    'New follower',
    { message: 'user1 vous suit', url: '/shop/user-1', tag: 'follow:U1', meta: { count: 1 } },
  ],
  [
    { event: 'listing.phone_viewed', ...listing },
    'Votre numéro a été consulté',
    'Your phone number was viewed',
    { tag: 'phone:L1' },
  ],
  [
    { event: 'listing.expiring', ...listing, days_left: 3 },
    'Votre annonce expire dans 3 jours',
    'Your listing expires in 3 days',
    { severity: 'warning', meta: { listingId: 'L1', count: 1, days_left: 3 } },
  ],
  [
    { event: 'listing.expiring', ...listing, days_left: 0 },
    'Votre annonce a expiré',
    'Your listing has expired',
    {},
  ],
  [
    { event: 'saved_search.matched', search: 'S1', name: 'Vélo', new_count: 4 },
    '4 nouvelles annonces pour votre recherche',
    '4 new listings for your search',
    {
      message: 'Vélo',
      url: '/listings?saved_search=S1',
      tag: 'search:S1',
      meta: { savedSearchId: 'S1', newCount: 4, count: 1 },
    },
  ],
  [
    { event: 'review.created', rating: 4, comment: 'Sérieux', slug: 'boutique-2' },
    'Nouvel avis : 4/5',
    'New review: 4/5',
    {
      message: 'Sérieux',
      url: '/shop/boutique-2',
      tag: 'review:U1',
      meta: { rating: 4, count: 1 },
    },
  ],
  [
    {
      event: 'admin.announcement',
      title: { fr: 'Maintenance', en: 'Upkeep' },
      message: { fr: 'Dimanche', en: 'Sunday' },
      url: '/notifications',
      severity: 'warning',
      icon: null,
    },
    'Maintenance',
    'Upkeep',
    { message: 'Dimanche', severity: 'warning', tag: 'announcement:N1' },
  ],
]

test.each(rows)('[API 4.9] [S3.13] %j', (fact, fr, en, rest) => {
  const french = render(logged(fact), 'fr')
  expect(french).toMatchObject({
    id: 'N1',
    event: fact.event,
    event_id: 'E1',
    title: fr,
    read: false,
    ...rest,
  })
  expect(render(logged(fact), 'en').title).toBe(en)
  expect(v.is(notification, french)).toBe(true)
})

test('[API 4.9] each stored event has its name in schema/wire and a row above', () => {
  const names = stored.options.map(({ entries }) => entries.event.literal)
  expect(names.filter((name) => !v.is(eventName, name))).toEqual([])
  const rendered = new Set(rows.map(([{ event }]) => event))
  const missing = names.filter((name) => !rendered.has(name))
  // They are no notifications.
  expect(missing).toEqual(['conversation.updated', 'notification.read'])
})

test('[API 14.4] an event that is no notification has no id and counts as read', () => {
  const words = render(
    logged(
      { event: 'notification.read', ids: ['N1'], upTo: null },
      { notificationId: null, actor: null },
    ),
    'fr',
  )
  expect(words).toMatchObject({
    id: null,
    title: '',
    message: '',
    url: null,
    from_user: null,
    tag: 'notification.read',
    meta: { ids: ['N1'], upTo: null, count: 1 },
    read: true,
  })
})

test('[API 4.9] a code of a rejection has its text in the language of the reader', () => {
  const fact: Fact = {
    event: 'listing.reviewed',
    ...listing,
    decision: 'rejected',
    reason: { fr: 'photo absente', en: 'photo missing' },
    reason_code: 'photo_missing',
  }
  expect(render(logged(fact), 'en')).toMatchObject({
    message: 'Toyota Corolla 2012: photo missing',
    meta: { reason: 'photo missing', reason_code: 'photo_missing' },
  })
})

test('[API 4.9] a long message is cut to 200 code points', () => {
  expect(cut('é'.repeat(200), 200)).toHaveLength(200)
  expect(Array.from(cut('😀'.repeat(201), 200))).toEqual([
    ...Array.from({ length: 199 }, () => '😀'),
    '…',
  ])
})
