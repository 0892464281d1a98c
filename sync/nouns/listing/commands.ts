import { trackEvents } from '#schema/wire/listing'
import type { CommandRules, Payload, QueuedCommand } from '../../noun.ts'
import { noAnswer } from '../tolerant.ts'

/** A view without network counts on its own day [API 15]. */
const event = ({
  payload: { listing, source },
  createdAt,
}: QueuedCommand<Payload<'listing.viewed'>>) => ({
  event_type: 'listing_view',
  listing_id: listing,
  source,
  ts: new Date(createdAt).toISOString(),
})

export const commands = {
  'listing.viewed': {
    lane: () => 'views',
    gathered: {
      most: 50,
      deliver: (views) => ({ call: trackEvents, body: { events: views.map(event) } }),
    },
    silent: 'hidden',
    visitor: 'send',
    collapse: ({ listing }, earlier) => (earlier.listing === listing ? 'same' : null),
    deliver: (one) => ({ call: trackEvents, body: event(one), answer: noAnswer }),
  },
} satisfies CommandRules
