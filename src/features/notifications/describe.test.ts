import { i18n } from '@lingui/core'
import { beforeAll, describe as suite, expect, test } from 'vitest'
import { eventName } from '#schema/wire/notification'
import { describe, destinationOf } from './describe.ts'

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
})

type About = Parameters<typeof describe>[0]
const quiet: About = { event: '', title: '', message: '', from_user: null, meta: { count: 1 } }
const awa = { id: 'U1', username: 'awa', avatar: null }

function words(about: Partial<About>): [string, string] {
  const { title, body } = describe({ ...quiet, ...about })
  return [
    typeof title === 'string' ? title : i18n._(title),
    typeof body === 'string' ? body : i18n._(body),
  ]
}

/** Shown as the server says, or never shown. */
const SERVER_TEXTS = [
  'admin.announcement',
  'client.success',
  'client.info',
  'conversation.updated',
  'notification.read',
]

test.each(eventName.options.filter((event) => !SERVER_TEXTS.includes(event)))(
  '[S3.14] %s has a title in the app’s language',
  (event) => {
    expect(words({ event, title: 'of the server' })[0]).not.toBe('of the server')
  },
)

suite('[S3.14] a notification in words', () => {
  const content = { content: 'Bonjour', conversation: 'C1', id: 'M1', seq: 4 }
  test.each<[string, Partial<About>, [string, string]]>([
    [
      'message',
      { event: 'message.created', from_user: awa, message: content },
      ['Nouveau message d’awa', 'Bonjour'],
    ],
    [
      'merged messages [S4.13]',
      { event: 'message.created', from_user: awa, message: content, meta: { count: 3 } },
      ['3 nouveaux messages d’awa', 'Bonjour'],
    ],
    [
      'publication',
      { event: 'listing.published', message: 'Vélo' },
      ['Votre annonce est en ligne', 'Vélo'],
    ],
    [
      'approval',
      { event: 'listing.reviewed', message: 'Vélo', meta: { count: 1, decision: 'approved' } },
      ['Annonce approuvée', 'Vélo'],
    ],
    [
      'refusal',
      {
        event: 'listing.reviewed',
        message: 'Vélo : photo floue',
        meta: { count: 1, decision: 'rejected' },
      },
      ['Annonce refusée', 'Vélo : photo floue'],
    ],
    ['follower', { event: 'follow.created', from_user: awa }, ['Nouvel abonné', 'awa vous suit']],
    [
      'end in three days',
      { event: 'listing.expiring', message: 'Vélo', meta: { count: 1, days_left: 3 } },
      ['Votre annonce expire dans 3 jours', 'Vélo'],
    ],
    [
      'end',
      { event: 'listing.expiring', message: 'Vélo', meta: { count: 1, days_left: 0 } },
      ['Votre annonce a expiré', 'Vélo'],
    ],
    [
      'search',
      { event: 'saved_search.matched', message: 'Corolla', meta: { count: 1, newCount: 2 } },
      ['2 nouvelles annonces pour votre recherche', 'Corolla'],
    ],
    [
      'review',
      { event: 'review.created', message: 'Sérieux', meta: { count: 1, rating: 4 } },
      ['Nouvel avis\u00a0: 4/5', 'Sérieux'],
    ],
    [
      'something new',
      { event: 'market.closed', title: 'Marché fermé', message: 'Lundi' },
      ['Marché fermé', 'Lundi'],
    ],
  ])('%s', (_what, about, expected) => {
    expect(words(about)).toEqual(expected)
  })
})

suite('[S4.18] a tap leads', () => {
  const nowhere = { conversation_id: null, listing_id: null, url: null, meta: { count: 1 } }
  const origin = 'https://yaar.test'
  test.each([
    [
      'to the conversation first',
      { conversation_id: 'C1', listing_id: 'L1', url: '/settings' },
      '/messages/C1',
    ],
    [
      'to the conversation that only meta names',
      { meta: { count: 1, conversationId: 'C2' } },
      '/messages/C2',
    ],
    ['else to the listing', { listing_id: 'L1', url: '/settings' }, '/listings/L1'],
    ['else to the address', { url: '/shop/awa?x=1#y' }, '/shop/awa?x=1#y'],
    ['nowhere outside', { url: 'https://elsewhere.test/' }, null],
    ['nowhere without an address', {}, null],
  ])('%s', (_where, about, expected) => {
    expect(destinationOf({ ...nowhere, ...about }, origin)).toBe(expected)
  })
})
