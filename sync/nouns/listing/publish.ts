import type { Payload } from '#schema/port/command'
import { createListing, myListings } from '#schema/wire/own'
import type { CommandRule, LookupContext, Step } from '../../noun.ts'
import { clean, findRow, idOf, members, moment, msOf, SAME_MS, text } from '../tolerant.ts'
import { ownOf, storeListing } from './upsert.ts'
import { keepingUploads, uploadStep, withoutForgotten, withPhotos } from './photos.ts'
import { readListing } from '#schema/listingDocument'

type P = Payload<'listing.publish'>

type Answer = { readonly listing: unknown; readonly id: string }

/**
 * Uploads the photos one by one, then creates the listing. One entry, so that it is shown and
 * edited as one.
 */
export const publish: CommandRule<P, Answer> = {
  lane: ({ draft }) => `listing:${draft}`,
  change: {
    again: (old, incoming) => ({
      ...incoming,
      photos: keepingUploads(old.photos, incoming.photos),
    }),
  },
  async apply({ id, owner, createdAt, payload: { draft, fields } }, tools) {
    const { store } = tools
    const at = new Date(createdAt).toISOString()
    const { username } = tools.currentUser()
    const body = {
      ...fields,
      id: draft,
      client_id: id,
      seller: { id: owner, username },
      images: [],
      status: 'pending',
      review_status: 'pending',
      is_active: true,
      created_at: at,
      updated_at: at,
    }
    const listing = readListing(body, createdAt)
    if (listing) await store.ownListings.put([ownOf(listing, body)])
  },
  deliver: ({ id, payload }) => uploadStep(payload) ?? creating(id, payload),
  async settle({ payload: { draft } }, answer, tools) {
    if (!answer) return
    // Delete the draft first: with full storage the documents may fail.
    await (await tools.drafts()).remove(draft)
    await storeListing(tools, answer.listing)
    await tools.store.ownListings.remove([draft])
  },
  async revert({ payload: { draft } }, problem, { store }) {
    if (problem === null) await store.ownListings.remove([draft])
  },
}

function creating(key: string, payload: P): Step<P, Answer> {
  return {
    call: createListing,
    ...withPhotos({ ...bodyOf(payload.fields), client_id: key }, payload),
    answer(listing) {
      const id = idOf(members(listing)['id'])
      return id === null || typeof members(listing)['title'] !== 'string'
        ? null
        : { answer: { listing, id }, created: { kind: 'listing', from: payload.draft, to: id } }
    },
    refused: (problem) => withoutForgotten(payload, problem),
    keyless: {
      lookup: {
        call: myListings,
        found: (body, since) => createdWith(payload.fields.title, body, since),
      },
      echo: ({ listing, id }) => ({ key: text(members(listing)['client_id']), id }),
    },
  }
}

/**
 * Finds the own listing that a try without an answer created: by title and time, not matched with
 * another entry [API 19].
 */
function createdWith(
  title: string,
  body: unknown,
  { matchedServerIds, triedAt }: LookupContext,
): unknown {
  return findRow(body, (row) => {
    const listing = members(row)
    const id = idOf(listing['id'])
    return (
      id !== null &&
      !matchedServerIds.has(id) &&
      listing['title'] === title &&
      msOf(moment(listing['created_at'])) > triedAt - SAME_MS
    )
  })
}

export function bodyOf(fields: Payload<'listing.edit'>['fields']): Record<string, unknown> {
  return mapValues(fields, (value) => (typeof value === 'string' ? clean(value) : value))
}

export function mapValues(
  object: object,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
