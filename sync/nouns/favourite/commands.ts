import { addFavourite, removeFavourite } from '#schema/wire/favourite'
import type { CommandRules, Payload } from '../../noun.ts'
import { answeredIf, deletion, idOf, members } from '../tolerant.ts'
import { toggle } from '../toggle.ts'

export const commands = {
  'listing.save': {
    lane: ({ listing }) => `saved:${listing}`,
    /** [S2.13, API 10.2] */
    visitor: 'keep',
    silent: true,
    ...toggle<Payload<'listing.save'>>(
      ({ saved }) => saved,
      ({ payload: { listing: id }, createdAt }, saved, { store }) =>
        store.saved.put([{ id, newest: -createdAt, saved }]),
    ),
    deliver: ({ payload: { listing, saved } }) =>
      saved
        ? {
            call: addFavourite,
            body: { listing_id: listing },
            answer: answeredIf(
              (body) => (idOf(members(body)['listing_id']) ?? idOf(members(body)['id'])) !== null,
            ),
          }
        : deletion(removeFavourite, listing),
    async settle({ payload: { listing: id, saved }, createdAt }, answer, { store }) {
      if (!saved)
        await store.saved.change(id, (stored) => (stored.saved ? { ...stored, saved } : null))
      else if (answer === null) await store.saved.remove([id])
      else
        // It may be missing: storage was full, or the entry was sent before its owner signed in.
        await store.saved.put([{ id, newest: -createdAt, saved }], (stored, incoming) =>
          stored.saved ? stored : incoming,
        )
    },
  },
} satisfies CommandRules
