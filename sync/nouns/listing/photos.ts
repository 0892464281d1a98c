import type { QueuedPhoto } from '#schema/port/command'
import { uploadPhoto } from '#schema/wire/own'
import type { Problem } from '#schema/wire/problem'
import type { Delivery } from '../../noun.ts'
import { idOf, members, text } from '../tolerant.ts'

const ROUNDS = 3
/** Slowest usable connection, in bytes per ms. */
const SLOWEST = 2

/**
 * The part of a payload that publishing and editing share: each photo is uploaded by a request of
 * its own, before the listing. `whole`: the server has no uploads, so the listing contains them.
 */
interface WithPhotos {
  readonly photos: readonly QueuedPhoto[]
  readonly whole?: boolean | undefined
}

/** undefined: nothing is left to upload. */
export function nextUpload({ photos, whole }: WithPhotos): QueuedPhoto | undefined {
  return whole === true ? undefined : photos.find(({ upload }) => upload === null)
}

/** With its own key, so that a failure costs only one photo [API 6.2]. */
export function uploading({ id, bytes, round }: QueuedPhoto): Delivery {
  const key = round === 0 ? id : `${id}-${round}`
  return {
    call: uploadPhoto,
    body: { client_id: key },
    key,
    files: [{ name: 'file', photo: id }],
    deadlineMs: photoDeadline(bytes),
  }
}

/** ms */
export function photoDeadline(bytes: number): number {
  return 8000 + bytes / SLOWEST
}

export function uploadAnswer(body: unknown): { readonly upload: string } | null {
  const upload = idOf(members(body)['upload_id']) ?? idOf(members(body)['id'])
  return upload === null ? null : { upload }
}

export function withUpload<P extends WithPhotos>(payload: P, upload: string): P {
  const sent = nextUpload(payload)
  const photos = payload.photos.map((photo) => (photo === sent ? { ...photo, upload } : photo))
  return { ...payload, photos }
}

/** A server without `uploads/` takes the photos with the listing [API 6.2, API 19]. */
export function repairUploads<P extends WithPhotos>(
  payload: P,
  problem: Problem,
  status: number,
): P | null {
  if (nextUpload(payload) && (status === 404 || status === 405)) return { ...payload, whole: true }
  const photos = forgotten(payload.photos, problem)
  return photos && { ...payload, photos }
}

/**
 * Resets uploads that the server deleted (after seven days), to send them again; null: the problem
 * has another cause.
 */
function forgotten(photos: readonly QueuedPhoto[], problem: Problem): QueuedPhoto[] | null {
  const codes = problem.field_codes?.['uploaded_image_ids'] ?? []
  const gone = new Set(
    codes
      .filter(({ code }) => code === 'upload_not_found')
      .map((code) => text(members(code)['upload_id'])),
  )
  const again = photos.filter(
    ({ upload, round }) => upload !== null && gone.has(upload) && round < ROUNDS,
  )
  return again.length === 0
    ? null
    : photos.map((photo) =>
        again.includes(photo) ? { ...photo, upload: null, round: photo.round + 1 } : photo,
      )
}

/**
 * Keeps finished uploads when the command changes. An upload that failed for good is sent again
 * under a new key.
 */
export function keepingUploads(
  old: readonly QueuedPhoto[],
  incoming: readonly QueuedPhoto[],
): QueuedPhoto[] {
  return incoming.map((photo) => {
    const known = old.find(({ id }) => id === photo.id)
    if (!known) return photo
    return known.round < ROUNDS ? known : { ...known, upload: null, round: known.round + 1 }
  })
}

export function photoBytes(photos: readonly QueuedPhoto[]): number {
  return photos.reduce((sum, { bytes, upload }) => sum + (upload === null ? bytes : 0), 0)
}

export function bytes({ fields, photos }: WithPhotos & { readonly fields: object }): number {
  return JSON.stringify(fields).length + photoBytes(photos)
}
