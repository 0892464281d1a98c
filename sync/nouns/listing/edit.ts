import type { Entry } from '#schema/disk/entry'
import type { Payload } from '#schema/port/command'
import type { Problem } from '#schema/wire/problem'
import { currentOf, clashes, rebase } from '#schema/edit'
import { readListing as readOwn } from '#schema/wire/listing'
import { editListing, reorderImages } from '#schema/wire/own'
import type { CommandRule, Delivery, Lookup, Tools } from '../../noun.ts'
import { idOf, images as imagesIn, members } from '../tolerant.ts'
import { collapseAll } from '../collapse.ts'
import {
  bytes,
  nextUpload,
  photoBytes,
  repairUploads,
  uploadAnswer,
  uploading,
  withUpload,
} from './photos.ts'
import { bodyOf } from './publish.ts'
import { isListing, storeListing } from './upsert.ts'

type P = Payload<'listing.edit'>

type Answer =
  | { readonly upload: string }
  | { readonly listing: unknown }
  | { readonly images: unknown }

/**
 * Uploads new photos one by one, then sends all changes in one request, then the photo order if it
 * differs.
 */
export const edit: CommandRule<P, Answer> = {
  lane: ({ listing }) => `listing:${listing}`,
  // Changes of an unpublished listing wait until it is published.
  after: ['listing.publish'],
  bytes,
  wifiOnly: ({ wifiOnly }) => wifiOnly,
  // The new command contains the changes of waiting and parked ones.
  collapse: ({ draft }, waiting, refused, id) =>
    collapseAll(
      id,
      [...waiting, ...refused].filter(({ payload }) => payload.draft === draft),
    ),
  deliver: ({ id, payload }) => stepOf(id, payload).delivery,
  answer: (body, { id, payload }) => stepOf(id, payload).answer(body),
  lookup: ({ payload }) => lookFor(payload),
  nextStep(payload, answer) {
    if ('upload' in answer)
      return { name: 'listing.edit', payload: withUpload(payload, answer.upload) }
    const order = 'listing' in answer ? orderLeft(payload, answer.listing) : null
    return order && 'listing' in answer
      ? { name: 'listing.edit', payload: { ...payload, left: { order, listing: answer.listing } } }
      : null
  },
  repair: (payload, problem, status) =>
    payload.left ? null : (repairUploads(payload, problem, status) ?? rebased(payload, problem)),
  async settle({ id, payload: { draft, left } }, answer, tools) {
    // First, as in publish.ts: with full storage the documents may fail.
    await removeDraft(tools, draft, id)
    if (answer && 'listing' in answer) await storeListing(tools, answer.listing)
    if (left)
      await storeListing(
        tools,
        answer && 'images' in answer
          ? { ...members(left.listing), images: answer.images }
          : left.listing,
      )
  },
  /** A 409 has `current`, from which the user chooses [API 9.2]. */
  revert: refetchDetail,
}

/** Shows the server's version again. */
export async function refetchDetail(
  { payload: { listing } }: { readonly payload: { readonly listing: string } },
  _problem: Problem | null,
  { refetchQuestion }: Tools,
): Promise<void> {
  refetchQuestion('listing.detail', { id: listing })
}

interface Step {
  readonly delivery: Delivery
  readonly answer: (body: unknown) => Answer | null
}

function stepOf(key: string, payload: P): Step {
  const { listing, left } = payload
  const photo = nextUpload(payload)
  if (photo) return { delivery: uploading(photo), answer: uploadAnswer }
  const order = left?.order ?? onlyOrder(payload)
  // Each request needs its own key: a key belongs to one path and body [API 2].
  if (order)
    return {
      delivery: {
        call: reorderImages,
        params: { id: listing },
        body: { image_ids: order },
        key: `${key}-order`,
      },
      answer: (body) => (isNamed(body, listing) ? { images: members(body)['images'] } : null),
    }
  return {
    delivery: changing(payload),
    answer: (body) => (isListing(body, listing) ? { listing: body } : null),
  }
}

function changing({ listing, fields, photos, images, baseVersion, whole }: P): Delivery {
  const uploads = photos.flatMap(({ upload }) => upload ?? [])
  const removed = images ? images.before.filter((one) => !images.order.includes(one)) : []
  const body = {
    ...bodyOf(fields),
    ...(uploads.length > 0 ? { uploaded_image_ids: uploads } : {}),
    ...(removed.length > 0 ? { removed_image_ids: removed } : {}),
    ...(baseVersion === null ? {} : { base_version: baseVersion }),
  }
  const call = { call: editListing, params: { id: listing } }
  if (whole !== true) return { ...call, body }
  // In a form, an empty part means null.
  const parts = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? '']))
  return {
    ...call,
    body: parts,
    files: photos.map(({ id }) => ({ name: 'uploaded_images', photo: id })),
    deadlineMs: 8000 + photoBytes(photos),
  }
}

/**
 * Looks for an earlier edit by its new photos. Without photos no lookup is needed: writing a field
 * twice is harmless [API 19].
 */
function lookFor(payload: P): Lookup | null {
  const { listing, photos, images, left } = payload
  if (photos.length === 0 || images === null || left || nextUpload(payload)) return null
  const found = (body: unknown): unknown => {
    if (!isNamed(body, listing)) return null
    const there = imagesIn(members(body)['images']).map(({ id }) => id)
    const fresh = there.filter((id) => !images.before.includes(id)).length
    const removed = images.before
      .filter((id) => !images.order.includes(id))
      .every((id) => !there.includes(id))
    return fresh >= photos.length && removed ? body : undefined
  }
  return { call: readOwn, params: { id: listing }, found }
}

/** The photo order, if nothing else changed; null: an edit is needed. */
function onlyOrder({ fields, photos, images }: P): readonly string[] | null {
  const alone =
    images !== null &&
    Object.keys(fields).length === 0 &&
    photos.length === 0 &&
    images.before.every((id) => images.order.includes(id))
  return alone && images.order.length > 0 ? images.order : null
}

/** The wanted photo order by server ids (the server appends new photos); null: already correct. */
function orderLeft({ images, photos }: P, listing: unknown): string[] | null {
  if (images === null) return null
  const there = imagesIn(members(listing)['images']).map(({ id }) => id)
  const fresh = there.slice(there.length - photos.length)
  const named = new Map(photos.map(({ id }, place) => [id, fresh[place] ?? id]))
  const wanted = images.order.map((id) => named.get(id) ?? id).filter((id) => there.includes(id))
  return wanted.every((id, place) => id === there[place]) ? null : wanted
}

/**
 * Rebases the edit when another device changed other fields; null: a conflict that the user must
 * resolve.
 */
function rebased(payload: P, problem: Problem): P | null {
  const now = currentOf(problem)
  const isNewer = now !== null && now.version > (payload.baseVersion ?? Number.MAX_SAFE_INTEGER)
  if (!isNewer || clashes(payload, now).length > 0) return null
  return { ...payload, ...rebase(payload, now, () => true), baseVersion: now.version }
}

function isNamed(body: unknown, listing: string): boolean {
  return idOf(members(body)['id']) === listing
}

/** Deletes the draft, unless another entry still uses it. */
async function removeDraft({ outbox, drafts }: Tools, draft: string, id: string): Promise<void> {
  let entries: readonly Entry[] = []
  // `outbox` emits synchronously. Importing rxjs's `firstValueFrom` would enlarge the service
  // worker.
  outbox.subscribe((now) => (entries = now)).unsubscribe()
  if (
    entries.some(
      (entry) =>
        entry.id !== id && entry.state !== 'acknowledged' && entry.payload['draft'] === draft,
    )
  )
    return
  await (await drafts()).remove(draft)
}
