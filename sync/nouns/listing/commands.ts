import type { Payload } from '#schema/port/command'
import { trackEvents } from '#schema/wire/listing'
import type { CommandRule, CommandRules, QueuedCommand } from '../../noun.ts'
import { collapseSame } from '../collapse.ts'
import { noAnswer } from '../tolerant.ts'

type View = QueuedCommand<Payload<'listing.viewed'>>

/** With `ts`, so that a view without network counts on its own day [API 15]. */
const event = ({ payload: { listing, source }, createdAt }: View) => ({
  event_type: 'listing_view',
  listing_id: listing,
  source,
  ts: new Date(createdAt).toISOString(),
})
const MOST = 50

const viewed: CommandRule<Payload<'listing.viewed'>, true> = {
  lane: () => 'views',
  lowPriority: true,
  silent: true,
  hidden: true,
  visitor: 'send',
  collapse: ({ listing }, waiting, _refused, id) =>
    collapseSame(id, waiting, (payload) => payload.listing === listing),
  deliver: (one) => ({ call: trackEvents, body: event(one) }),
  batch: {
    most: MOST,
    deliver: (views) => ({ call: trackEvents, body: { events: views.map(event) } }),
  },
  answer: noAnswer,
}

export const commands = { 'listing.viewed': viewed } satisfies CommandRules
