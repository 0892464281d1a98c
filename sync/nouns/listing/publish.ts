import type { QueuedPhoto } from '#schema/port/ownListing'
import { createListing, myListings, uploadPhoto } from '#schema/wire/own'
import type { Problem } from '#schema/wire/problem'
import type { CommandRule, LookupContext, Payload, Step } from '../../noun.ts'
import { findRow, idOf, members, moment, msOf, SAME_MS, text } from '../tolerant.ts'
import { isListing, ownOf, storeListing, readListing } from './upsert.ts'
import { clean } from '#schema/text'

type P = Payload<'listing.publish'>

type Answer = { readonly listing: unknown; readonly id: string }

/** One entry, so that photos and listing are shown and edited as one. */
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
    // First: with full storage the documents may fail.
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
      return id !== null && isListing(listing, id)
        ? { answer: { listing, id }, created: { kind: 'listing', from: payload.draft, to: id } }
        : null
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

/** By title and time [API 19]. */
function createdWith(title: string, body: unknown, { matchedServerIds, triedAt }: LookupContext) {
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

export function bodyOf(fields: Payload<'listing.edit'>['fields']) {
  return mapValues(fields, (value) => (typeof value === 'string' ? clean(value) : value))
}

export function mapValues(object: object, change: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

const ROUNDS = 3
/** Bytes per ms of the slowest usable connection. */
const SLOWEST = 2

/** `whole`: the server has no uploads, so the listing contains them. */
type WithPhotos = Pick<P, 'photos' | 'whole'>

/** Each has its own key, so that a failure costs only one [API 6.2]; null: all are uploaded. */
export function uploadStep<P extends WithPhotos>(payload: P): Step<P, never> | null {
  const photo = payload.whole ? undefined : payload.photos.find(({ upload }) => upload === null)
  if (!photo) return null
  const key = photo.round === 0 ? photo.id : `${photo.id}-${photo.round}`
  return {
    call: uploadPhoto,
    body: { client_id: key },
    key,
    files: [{ name: 'file', photo: photo.id }],
    deadlineMs: photoDeadline(photo.bytes),
    answer(body) {
      const upload = idOf(members(body)['upload_id']) ?? idOf(members(body)['id'])
      if (upload === null) return null
      const photos = payload.photos.map((one) => (one === photo ? { ...one, upload } : one))
      return { next: { ...payload, photos } }
    },
    /** [API 6.2, API 19] */
    refused: (_problem, status) =>
      status === 404 || status === 405 ? { ...payload, whole: true } : null,
  }
}

export function withPhotos(body: object, { photos, whole }: WithPhotos) {
  const uploads = photos.flatMap(({ upload }) => upload ?? [])
  if (!whole)
    return { body: { ...body, ...(uploads.length > 0 && { uploaded_image_ids: uploads }) } }
  const left = photos.reduce((sum, { bytes, upload }) => sum + (upload === null ? bytes : 0), 0)
  return {
    body,
    files: photos.map(({ id }) => ({ name: 'uploaded_images', photo: id })),
    deadlineMs: 8000 + left,
  }
}

export function photoDeadline(bytes: number) {
  return 8000 + bytes / SLOWEST
}

/** Uploads that the server deleted after seven days are sent again; null: another problem. */
export function withoutForgotten<P extends WithPhotos>(payload: P, problem: Problem) {
  const gone = new Set(
    problem.field_codes?.['uploaded_image_ids']?.map((one) =>
      one.code === 'upload_not_found' ? text(members(one)['upload_id']) : null,
    ),
  )
  const isGone = ({ upload, round }: QueuedPhoto) =>
    upload !== null && gone.has(upload) && round < ROUNDS
  if (!payload.photos.some(isGone)) return null
  return { ...payload, photos: payload.photos.map((one) => (isGone(one) ? again(one) : one)) }
}

function again(photo: QueuedPhoto) {
  return { ...photo, upload: null, round: photo.round + 1 }
}

/** An upload that failed for good is sent again under a new key. */
export function keepingUploads(old: readonly QueuedPhoto[], incoming: readonly QueuedPhoto[]) {
  return incoming.map((photo) => {
    const known = old.find(({ id }) => id === photo.id)
    if (!known) return photo
    return known.round < ROUNDS ? known : again(known)
  })
}
