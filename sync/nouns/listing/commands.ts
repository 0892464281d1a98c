import type { Payload } from '#schema/port/command'
import { trackEvents } from '#schema/wire/listing'
import type { CommandRule, CommandRules, Queued } from '../../noun.ts'

type View = Queued<Payload<'listing.viewed'>>

/** [API 15]: with `ts`, so that a view without network counts on its own day. */
const event = ({ payload: { listing, source }, bornAt }: View) => ({ event_type: 'listing_view', listing_id: listing, source, ts: new Date(bornAt).toISOString() })
const MOST = 50

const viewed: CommandRule<Payload<'listing.viewed'>, true> = {
  lane: () => 'views',
  low: true,
  quiet: true,
  unseen: true,
  visitor: 'send',
  collapse: ({ listing }, waiting, _refused, id) => ({ drop: [], instead: waiting.find(({ payload }) => payload.listing === listing)?.id ?? id }),
  deliver: (one) => ({ call: trackEvents, body: event(one) }),
  together: { most: MOST, deliver: (views) => ({ call: trackEvents, body: { events: views.map(event) } }) },
  answer: (body) => (body === null ? true : null),
}

export const commands = { 'listing.viewed': viewed } satisfies CommandRules
