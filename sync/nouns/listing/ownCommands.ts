import type { CommandName, Payload } from '#schema/port/command'
import { deleteListing, reactivateListing, toggleListing } from '#schema/wire/own'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { collapseAll, collapseDesired } from '../collapse.ts'
import { idOf, members, noAnswer } from '../tolerant.ts'
import { edit, refetchDetail } from './edit.ts'
import { publish } from './publish.ts'
import { isListing, NOT_FOUND, storeListing } from './upsert.ts'

const lane = ({ listing }: { readonly listing: string }): string => `listing:${listing}`
/** Changes of an unpublished listing wait until it is published. */
const after: readonly CommandName[] = ['listing.publish']

/**
 * These commands write no optimistic documents: waiting entries are applied when documents are read
 * (optimistic.ts).
 */
const state: CommandRule<Payload<'listing.state'>, unknown> = {
  lane,
  after,
  collapse({ flag, desired }, waiting, refused, id) {
    const ofFlag = <T extends { readonly payload: Payload<'listing.state'> }>(
      all: readonly T[],
    ): T[] => all.filter(({ payload }) => payload.flag === flag)
    return collapseDesired(
      id,
      desired,
      ofFlag(waiting),
      ofFlag(refused),
      (payload) => payload.desired,
    )
  },
  deliver: ({ payload: { listing, flag, desired } }) => ({
    call: toggleListing,
    params: { id: listing },
    body: { action: flag, desired },
  }),
  answer: (body, { payload }) =>
    idOf(members(body)['id']) === payload.listing ||
    isListing(members(body)['listing'], payload.listing)
      ? body
      : null,
  async settle({ payload: { listing } }, answer, tools) {
    const whole = members(answer)['listing']
    if (isListing(whole, listing)) await storeListing(tools, whole)
    else tools.refetchQuestion('listing.detail', { id: listing })
  },
  revert: refetchDetail,
}

const reactivate: CommandRule<Payload<'listing.reactivate'>, unknown> = {
  lane,
  after,
  collapse: (_payload, waiting, refused, id) => collapseAll(id, waiting, refused),
  deliver: ({ payload: { listing, days } }) => ({
    call: reactivateListing,
    params: { id: listing },
    body: { add_days: days },
  }),
  answer: (body, { payload }) => (isListing(body, payload.listing) ? body : null),
  async settle(_queued, answer, tools) {
    if (answer !== null) await storeListing(tools, answer)
  },
  revert: refetchDetail,
}

const remove: CommandRule<Payload<'listing.delete'>, true> = {
  lane,
  after,
  deliver: ({ payload: { listing } }) => ({ call: deleteListing, params: { id: listing } }),
  answer: noAnswer,
  isAlreadyDone: (_problem, status) => status === 404,
  async settle({ payload: { listing } }, _answer, { store }) {
    await store.remove('ownListings', [listing])
    await store.remove('listings', [listing])
    // Else its screen would show loading until the next fetch.
    await store.change('ownLists', `detail:${listing}`, (stored) => ({
      ...stored,
      problem: NOT_FOUND,
    }))
  },
  revert: refetchDetail,
}

export const commands = {
  'listing.publish': publish,
  'listing.edit': edit,
  'listing.state': state,
  'listing.reactivate': reactivate,
  'listing.delete': remove,
} satisfies CommandRules
