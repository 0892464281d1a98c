import type { Payload } from '#schema/port/command'
import { addFavourite, removeFavourite } from '#schema/wire/favourite'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { collapseDesired } from '../collapse.ts'
import { idOf, members } from '../tolerant.ts'

const save: CommandRule<Payload<'listing.save'>, { readonly id: string }> = {
  lane: ({ listing }) => `saved:${listing}`,
  /** A visitor's favourites stay local until the next sign-in [S2.13, API 10.2]. */
  visitor: 'keep',
  silent: true,
  collapse: ({ saved }, waiting, refused, id) =>
    collapseDesired(id, saved, waiting, refused, (payload) => payload.saved),
  async apply({ payload: { listing, saved }, createdAt }, { store }) {
    await store.put('saved', [{ id: listing, newest: -createdAt, saved }])
  },
  deliver: ({ payload: { listing, saved } }) =>
    saved
      ? { call: addFavourite, body: { listing_id: listing } }
      : { call: removeFavourite, params: { id: listing } },
  answer(body, { payload: { listing, saved } }) {
    const named = idOf(members(body)['listing_id']) ?? idOf(members(body)['id'])
    return (saved ? named !== null : body === null) ? { id: listing } : null
  },
  isAlreadyDone: (_problem, status, { payload }) => !payload.saved && status === 404,
  /** A refusal is not reported: the listing is gone, and the app shows that. */
  async settle({ payload: { listing, saved }, createdAt }, answer, { store }) {
    if (!saved)
      await store.change('saved', listing, (stored) => (stored.saved ? { ...stored, saved } : null))
    else if (answer === null) await store.remove('saved', [listing])
    else
      // The document may be missing: storage was full, or the entry was sent before its owner
      // signed in.
      await store.put('saved', [{ id: listing, newest: -createdAt, saved }], (stored, incoming) =>
        stored.saved ? stored : incoming,
      )
  },
  async revert({ payload: { listing, saved }, createdAt }, _problem, { store }) {
    await store.put('saved', [{ id: listing, newest: -createdAt, saved: !saved }])
  },
}

export const commands = { 'listing.save': save } satisfies CommandRules
