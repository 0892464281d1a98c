import type { Payload } from '#schema/port/command'
import { createListing, myListings } from '#schema/wire/own'
import type { CommandRule, Delivery, LookupContext } from '../../noun.ts'
import { clean, idOf, members, moment, msOf, rowsOf, SAME_MS, text } from '../tolerant.ts'
import { ownOf, storeListing } from './upsert.ts'
import {
  bytes,
  keepingUploads,
  nextUpload,
  photoBytes,
  repairUploads,
  uploadAnswer,
  uploading,
  withUpload,
} from './photos.ts'
import { readListing } from '#schema/listingDocument'

type P = Payload<'listing.publish'>

type Answer = { readonly upload: string } | { readonly listing: unknown; readonly id: string }

/**
 * Uploads the photos one by one, then creates the listing. One entry, so that it is shown and
 * edited as one.
 */
export const publish: CommandRule<P, Answer> = {
  lane: ({ draft }) => `listing:${draft}`,
  bytes,
  wifiOnly: ({ wifiOnly }) => wifiOnly,
  merge: (old, incoming) => ({ ...incoming, photos: keepingUploads(old.photos, incoming.photos) }),
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
    if (listing) await store.put('ownListings', [ownOf(listing, body)])
  },
  deliver({ id, payload }) {
    const photo = nextUpload(payload)
    return photo ? uploading(photo) : creating(id, payload)
  },
  answer(body, { payload }) {
    if (nextUpload(payload)) return uploadAnswer(body)
    const id = idOf(members(body)['id'])
    return id === null || typeof members(body)['title'] !== 'string' ? null : { listing: body, id }
  },
  lookup: ({ payload }) =>
    nextUpload(payload)
      ? null
      : {
          call: myListings,
          found: (body, since) => createdWith(payload.fields.title, body, since),
        },
  echo: (answer) =>
    'listing' in answer ? { key: text(members(answer.listing)['client_id']), id: answer.id } : null,
  createdId: ({ draft }, answer) =>
    'id' in answer ? { kind: 'listing', from: draft, to: answer.id } : null,
  nextStep: (payload, answer) =>
    'upload' in answer
      ? { name: 'listing.publish', payload: withUpload(payload, answer.upload) }
      : null,
  repair: repairUploads,
  async settle({ payload: { draft } }, answer, tools) {
    if (!answer || !('listing' in answer)) return
    // Delete the draft first: with full storage the documents may fail.
    await (await tools.drafts()).remove(draft)
    await storeListing(tools, answer.listing)
    await tools.store.remove('ownListings', [draft])
  },
  async revert({ payload: { draft } }, problem, { store }) {
    if (problem === null) await store.remove('ownListings', [draft])
  },
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
  const rows = rowsOf(body)
  if (rows === null) return null
  return rows.find((row) => {
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

function creating(id: string, { fields, photos, whole }: P): Delivery {
  const body = { ...bodyOf(fields), client_id: id }
  if (whole !== true)
    return {
      call: createListing,
      body: { ...body, uploaded_image_ids: photos.flatMap(({ upload }) => upload ?? []) },
    }
  const files = photos.map((photo) => ({ name: 'uploaded_images', photo: photo.id }))
  return { call: createListing, body, files, deadlineMs: 8000 + photoBytes(photos) }
}

export function bodyOf(fields: Payload<'listing.edit'>['fields']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? clean(value) : value,
    ]),
  )
}
