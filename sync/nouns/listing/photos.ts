import type { QueuedPhoto } from '#schema/port/command'
import { uploadPhoto } from '#schema/wire/own'
import type { Problem } from '#schema/wire/problem'
import type { Delivery } from '../../noun.ts'
import { idOf, members, text } from '../tolerant.ts'

const ROUNDS = 3
/** Slowest usable connection, in bytes per ms. */
const SLOWEST = 2

/** undefined: all are on the server. */
export function nextPhoto(photos: readonly QueuedPhoto[]): QueuedPhoto | undefined {
  return photos.find(({ upload }) => upload === null)
}

/** Each photo is a request with its own key, so that a failure costs only one photo [API 6.2]. */
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

/** null: not an upload answer. */
export function uploadOf(body: unknown): string | null {
  return idOf(members(body)['upload_id']) ?? idOf(members(body)['id'])
}

export function withUpload(photos: readonly QueuedPhoto[], upload: string): QueuedPhoto[] {
  const sent = nextPhoto(photos)
  return photos.map((photo) => (photo === sent ? { ...photo, upload } : photo))
}

/**
 * Resets uploads that the server deleted (after seven days), to send them again; null: the problem
 * has another cause.
 */
export function forgotten(photos: readonly QueuedPhoto[], problem: Problem): QueuedPhoto[] | null {
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
  coming: readonly QueuedPhoto[],
): QueuedPhoto[] {
  return coming.map((photo) => {
    const known = old.find(({ id }) => id === photo.id)
    if (!known) return photo
    return known.round < ROUNDS ? known : { ...known, upload: null, round: known.round + 1 }
  })
}

export function photoBytes(photos: readonly QueuedPhoto[]): number {
  return photos.reduce((sum, { bytes, upload }) => sum + (upload === null ? bytes : 0), 0)
}

/** A server without `uploads/` takes the photos with the listing [API 6.2, API 19]. */
export function knowsNoUploads(photos: readonly QueuedPhoto[], status: number): boolean {
  return nextPhoto(photos) !== undefined && (status === 404 || status === 405)
}
