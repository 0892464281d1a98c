import type { Payload } from '#schema/port/command'
import { createListing, myListings } from '#schema/wire/own'
import type { CommandRule, Delivery, ReadBackContext, Tools } from '../../noun.ts'
import { clean } from '../clean.ts'
import { idOf, members, moment, msOf, rowsOf, text } from '../tolerant.ts'
import { upsertListings, ownOf } from './upsert.ts'
import {
  forgotten,
  keepingUploads,
  knowsNoUploads,
  nextPhoto,
  photoBytes,
  uploading,
  uploadOf,
  withUpload,
} from './photos.ts'
import { readListing } from './read.ts'

type P = Payload<'listing.publish'>

/** Maximum difference between device and server time for the same listing [API 19]. */
const SAME_MS = 10 * 60_000

type Answer = { readonly upload: string } | { readonly listing: unknown; readonly id: string }

/**
 * Uploads the photos one by one, then creates the listing. One entry, so that it is shown and
 * edited as one.
 */
export const publish: CommandRule<P, Answer> = {
  lane: ({ draft }) => `listing:${draft}`,
  bytes: ({ fields, photos }) => JSON.stringify(fields).length + photoBytes(photos),
  wifiOnly: ({ wifiOnly }) => wifiOnly,
  merge: (old, coming) => ({ ...coming, photos: keepingUploads(old.photos, coming.photos) }),
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
    const photo = payload.whole === true ? undefined : nextPhoto(payload.photos)
    return photo ? uploading(photo) : creating(id, payload)
  },
  answer(body, { payload }) {
    const id = idOf(members(body)['id'])
    if (payload.whole !== true && nextPhoto(payload.photos)) {
      const upload = uploadOf(body)
      return upload === null ? null : { upload }
    }
    return id === null || typeof members(body)['title'] !== 'string' ? null : { listing: body, id }
  },
  readBack: ({ payload: { fields, photos, whole } }) =>
    whole !== true && nextPhoto(photos)
      ? null
      : { call: myListings, found: (body, since) => madeAs(fields.title, body, since) },
  echo: (answer) =>
    'listing' in answer ? { key: text(members(answer.listing)['client_id']), id: answer.id } : null,
  createdId: ({ draft }, answer) =>
    'id' in answer ? { kind: 'listing', from: draft, to: answer.id } : null,
  nextStep: (payload, answer) =>
    'upload' in answer
      ? {
          name: 'listing.publish',
          payload: { ...payload, photos: withUpload(payload.photos, answer.upload) },
        }
      : null,
  repair(payload, problem, status) {
    if (payload.whole !== true && knowsNoUploads(payload.photos, status))
      return { ...payload, whole: true }
    const photos = forgotten(payload.photos, problem)
    return photos && { ...payload, photos }
  },
  async settle({ payload: { draft } }, answer, tools) {
    if (answer && 'listing' in answer) await keepMade(tools, draft, answer.listing)
  },
  async revert({ payload: { draft } }, problem, { store }) {
    if (problem === null) await store.remove('ownListings', [draft])
  },
}

async function keepMade(tools: Tools, draft: string, body: unknown): Promise<void> {
  // Delete the draft first: with full storage the documents may fail.
  await (await tools.drafts()).remove(draft)
  const listing = readListing(body, tools.now())
  if (listing) await upsertListings(tools, [listing])
  await tools.store.remove('ownListings', [draft])
}

/**
 * Finds the own listing that a try without an answer created: by title and time, not claimed by
 * another entry [API 19].
 */
function madeAs(title: string, body: unknown, { claimed, triedAt }: ReadBackContext): unknown {
  const rows = rowsOf(body)
  if (rows === null) return null
  return rows.find((row) => {
    const said = members(row)
    const id = idOf(said['id'])
    return (
      id !== null &&
      !claimed.has(id) &&
      said['title'] === title &&
      msOf(moment(said['created_at'])) > triedAt - SAME_MS
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

/** Fields in API format [API 5.3]; absent ones are left out. */
export function bodyOf(fields: Payload<'listing.edit'>['fields']): Record<string, unknown> {
  const cleaned = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? clean(value) : value] as const,
  )
  return Object.fromEntries(cleaned)
}
