import type { Payload } from '#schema/port/command'
import { addFavourite, removeFavourite } from '#schema/wire/favourite'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { collapseDesired } from '../desired.ts'
import { idOf, members } from '../plainer.ts'

const save: CommandRule<Payload<'listing.save'>, { readonly id: string }> = {
  lane: ({ listing }) => `saved:${listing}`,
  /** Signed out it stays on the phone, and goes with whoever signs in next [S2.13, API 10.2]. */
  visitor: 'keep',
  quiet: true,
  collapse: ({ saved }, waiting, refused, id) => collapseDesired(id, saved, waiting, refused, (payload) => payload.saved),
  async apply({ payload: { listing, saved }, bornAt }, { store }) {
    await store.put('saved', [{ id: listing, newest: -bornAt, saved }])
  },
  deliver: ({ payload: { listing, saved } }) =>
    saved ? { call: addFavourite, body: { listing_id: listing } } : { call: removeFavourite, params: { id: listing } },
  answer(body, { payload: { listing, saved } }) {
    const named = idOf(members(body)['listing_id']) ?? idOf(members(body)['id'])
    return (saved ? named !== null : body === null) ? { id: listing } : null
  },
  alreadySo: (_problem, status, { payload }) => !payload.saved && status === 404,
  /** Refused is quiet: a listing that is gone cannot be saved, and the phone says so. */
  async settle({ payload: { listing, saved }, bornAt }, answer, { store, renew }) {
    if (!saved) {
      await store.change('saved', listing, (here) => (here.saved && here.newest <= -bornAt ? null : { ...here, newest: -bornAt, saved }))
      if ((await store.one('saved', listing))?.saved === true) renew('saved.ids', {})
    }
    else if (answer === null) await store.remove('saved', [listing])
    else {
      // It left before the phone had room for it, or before its owner was in.
      await store.put('saved', [{ id: listing, newest: -bornAt, saved }], (here, coming) => (here.saved || here.newest < -bornAt ? here : coming))
      if ((await store.one('saved', listing))?.saved === false) renew('saved.ids', {})
    }
  },
  async refuse({ payload: { listing, saved }, bornAt }, _problem, { store }) {
    await store.put('saved', [{ id: listing, newest: -bornAt, saved: !saved }])
  },
}

export const commands = { 'listing.save': save } satisfies CommandRules
