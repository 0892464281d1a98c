import type { Payload } from '#schema/port/command'
import { addFavourite, removeFavourite } from '#schema/wire/favourite'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { alreadyGone, idOf, members, noAnswer } from '../tolerant.ts'
import { toggle } from '../toggle.ts'

const save: CommandRule<Payload<'listing.save'>, true> = {
  lane: ({ listing }) => `saved:${listing}`,
  /** A visitor's favourites stay local until the next sign-in [S2.13, API 10.2]. */
  visitor: 'keep',
  silent: true,
  ...toggle(
    ({ saved }) => saved,
    ({ payload: { listing: id }, createdAt }, saved, { store }) =>
      store.saved.put([{ id, newest: -createdAt, saved }]),
  ),
  deliver: ({ payload: { listing, saved } }) =>
    saved
      ? {
          call: addFavourite,
          body: { listing_id: listing },
          answer: (body) =>
            (idOf(members(body)['listing_id']) ?? idOf(members(body)['id'])) === null
              ? null
              : { answer: true },
        }
      : {
          call: removeFavourite,
          params: { id: listing },
          answer: noAnswer,
          refused: alreadyGone,
        },
  /** A refusal is not reported: the listing is gone, and the app shows that. */
  async settle({ payload: { listing: id, saved }, createdAt }, answer, { store }) {
    if (!saved)
      await store.saved.change(id, (stored) => (stored.saved ? { ...stored, saved } : null))
    else if (answer === null) await store.saved.remove([id])
    else
      // The document may be missing: storage was full, or the entry was sent before its owner
      // signed in.
      await store.saved.put([{ id, newest: -createdAt, saved }], (stored, incoming) =>
        stored.saved ? stored : incoming,
      )
  },
}

export const commands = { 'listing.save': save } satisfies CommandRules
