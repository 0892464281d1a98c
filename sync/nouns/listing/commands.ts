import type { Payload } from '#schema/port/command'
import { trackEvents } from '#schema/wire/listing'
import type { CommandRule, CommandRules, QueuedCommand } from '../../noun.ts'
import { noAnswer } from '../tolerant.ts'

type View = QueuedCommand<Payload<'listing.viewed'>>

/** With `ts`, so that a view without network counts on its own day [API 15]. */
const event = ({ payload: { listing, source }, createdAt }: View) => ({
  event_type: 'listing_view',
  listing_id: listing,
  source,
  ts: new Date(createdAt).toISOString(),
})

const viewed: CommandRule<Payload<'listing.viewed'>, true> = {
  lane: () => 'views',
  gathered: {
    most: 50,
    deliver: (views) => ({ call: trackEvents, body: { events: views.map(event) } }),
  },
  silent: 'hidden',
  visitor: 'send',
  collapse: ({ listing }, earlier) => (earlier.listing === listing ? 'same' : null),
  deliver: (one) => ({ call: trackEvents, body: event(one), answer: noAnswer }),
}

export const commands = { 'listing.viewed': viewed } satisfies CommandRules
