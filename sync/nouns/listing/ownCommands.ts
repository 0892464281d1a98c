import { deleteListing, reactivateListing, toggleListing } from '#schema/wire/own'
import type { CommandRules } from '../../noun.ts'
import { deletion, members } from '../tolerant.ts'
import { opposite } from '../toggle.ts'
import { edit, ofListing } from './edit.ts'
import { publish } from './publish.ts'
import { isListing, isNamed, NOT_FOUND, storeListing } from './upsert.ts'

/** Without optimistic documents: waiting entries are applied at reading (optimistic.ts). */
export const commands = {
  'listing.publish': publish,
  'listing.edit': edit,
  'listing.state': {
    ...ofListing,
    collapse: ({ flag, desired }, earlier) =>
      flag === earlier.flag ? opposite(desired, earlier.desired) : null,
    deliver: ({ payload: { listing, flag, desired } }) => ({
      call: toggleListing,
      params: { id: listing },
      body: { action: flag, desired },
      answer(body) {
        const { listing: whole } = members(body)
        return isNamed(body, listing) || isListing(whole, listing) ? { answer: whole } : null
      },
    }),
    async settle(queued, whole, tools) {
      if (isListing(whole, queued.payload.listing)) await storeListing(tools, whole)
      else await ofListing.revert(queued, null, tools)
    },
  },
  'listing.reactivate': {
    ...ofListing,
    collapse: () => 'replace',
    deliver: ({ payload: { listing, days } }) => ({
      call: reactivateListing,
      params: { id: listing },
      body: { add_days: days },
      answer: (body) => (isListing(body, listing) ? { answer: body } : null),
    }),
    settle: (_queued, answer, tools) => storeListing(tools, answer),
  },
  'listing.delete': {
    ...ofListing,
    deliver: ({ payload }) => deletion(deleteListing, payload.listing),
    async settle({ payload: { listing } }, _answer, { store }) {
      await store.ownListings.remove([listing])
      await store.listings.remove([listing])
      // Else its screen would show loading.
      await store.ownLists.change(`detail:${listing}`, (stored) => ({
        ...stored,
        problem: NOT_FOUND,
      }))
    },
  },
} satisfies CommandRules
