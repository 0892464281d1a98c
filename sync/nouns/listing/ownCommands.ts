import type { Payload } from '#schema/port/command'
import { deleteListing, reactivateListing, toggleListing } from '#schema/wire/own'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { alreadyGone, idOf, members, noAnswer } from '../tolerant.ts'
import { opposite } from '../toggle.ts'
import { edit, ofListing } from './edit.ts'
import { publish } from './publish.ts'
import { isListing, NOT_FOUND, storeListing } from './upsert.ts'

/**
 * These commands write no optimistic documents: waiting entries are applied when documents are read
 * (optimistic.ts).
 */
const state: CommandRule<Payload<'listing.state'>, unknown> = {
  ...ofListing,
  collapse: ({ flag, desired }, earlier) =>
    flag === earlier.flag ? opposite(desired, earlier.desired) : null,
  deliver: ({ payload: { listing, flag, desired } }) => ({
    call: toggleListing,
    params: { id: listing },
    body: { action: flag, desired },
    answer: (body) =>
      idOf(members(body)['id']) === listing || isListing(members(body)['listing'], listing)
        ? { answer: members(body)['listing'] }
        : null,
  }),
  async settle({ payload: { listing } }, whole, tools) {
    if (isListing(whole, listing)) await storeListing(tools, whole)
    else tools.refetchQuestion('listing.detail', { id: listing })
  },
}

const reactivate: CommandRule<Payload<'listing.reactivate'>, unknown> = {
  ...ofListing,
  collapse: () => 'replace',
  deliver: ({ payload: { listing, days } }) => ({
    call: reactivateListing,
    params: { id: listing },
    body: { add_days: days },
    answer: (body) => (isListing(body, listing) ? { answer: body } : null),
  }),
  settle: (_queued, answer, tools) => storeListing(tools, answer),
}

const remove: CommandRule<Payload<'listing.delete'>, true> = {
  ...ofListing,
  deliver: ({ payload: { listing } }) => ({
    call: deleteListing,
    params: { id: listing },
    answer: noAnswer,
    refused: alreadyGone,
  }),
  async settle({ payload: { listing } }, _answer, { store }) {
    await store.ownListings.remove([listing])
    await store.listings.remove([listing])
    // Else its screen would show loading until the next fetch.
    await store.ownLists.change(`detail:${listing}`, (stored) => ({
      ...stored,
      problem: NOT_FOUND,
    }))
  },
}

export const commands = {
  'listing.publish': publish,
  'listing.edit': edit,
  'listing.state': state,
  'listing.reactivate': reactivate,
  'listing.delete': remove,
} satisfies CommandRules
