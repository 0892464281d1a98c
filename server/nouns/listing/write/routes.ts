import * as wire from '#schema/wire/own'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import {
  REPLAYED,
  paged,
  preparedRoute,
  readRoute,
  refuse,
  refuseField,
  reply,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../../route/index.ts'
import { momentOf } from '../search/queries.ts'
import { filterOf } from '../search/params.ts'
import { createListing, madeBefore } from './create.ts'
import { readDetail } from '../read/detail.ts'
import { editListing, reorderImages, ownsListing } from './edit.ts'
import { cursorAt } from '../read/feed.ts'
import { fieldTexts, readFields } from './fields.ts'
import { ownListings, totalsOf } from '../read/mine.ts'
import {
  type PhotoChanges,
  takePhotos,
  dropUpload,
  keepUpload,
  requireRoom,
  uploadedBefore,
} from '../photos.ts'
import { viewerIn, viewOf } from '../read/routes.ts'
import { deleteListing, reactivateListing, toggleListing, toggleRequestOf } from './state.ts'

const CHANGES: LimitRow = { name: 'listing-changes', user: [{ count: 120, seconds: 3600 }] }
const UPLOADS: LimitRow = { name: 'uploads', user: [{ count: 120, seconds: 3600 }] }
const WEEK_MS = 7 * 86_400_000

/** Ten a day in an account's first week [API 1.6]. */
const creations = (joinedAt: Date, now: Date): LimitRow => ({
  name: 'listings',
  user: [{ count: now.getTime() - joinedAt.getTime() < WEEK_MS ? 10 : 30, seconds: 86_400 }],
})

export const listingWrites: readonly Route[] = [
  preparedRoute(
    wire.createListing,
    async (input) => {
      const { body, count, db, files, key, fingerprint, me, now } = input
      await count(creations(me.joinedAt, now))
      // First, so that a refused or replayed request stores no picture.
      const values = readFields(body, null, now.getUTCFullYear())
      const sent = files['uploaded_images'] ?? []
      const uploads = body.uploaded_image_ids ?? []
      requireRoom(0, sent, uploads)
      const known = await madeBefore(db, me.id, key, fingerprint)
      const taken = known === null ? await takePhotos(input, sent, 'uploaded_images') : []
      return { values, photos: { files: taken, uploads, removed: [] } }
    },
    async (input, tx, { values, photos }) => {
      const { key, fingerprint, me } = input
      const known = await madeBefore(tx, me.id, key, fingerprint)
      const id = known ?? (await createListing(tx, input, values, photos))
      const headers = { Location: `/api/listings/${id}/` }
      return reply(await readDetail(tx, id, viewerIn(input)), {
        headers: known === null ? headers : { ...headers, ...REPLAYED },
      })
    },
    { texts: fieldTexts },
  ),

  preparedRoute(
    wire.editListing,
    async (input): Promise<PhotoChanges> => {
      const { body, db, files, me, params } = input
      // Another seller's listing is refused below and must store no picture.
      const sent = (await ownsListing(db, params.id, me.id)) ? (files['uploaded_images'] ?? []) : []
      return {
        files: await takePhotos(input, sent, 'uploaded_images'),
        uploads: body.uploaded_image_ids ?? [],
        removed: body.removed_image_ids ?? [],
      }
    },
    async (input, tx, photos) => {
      const { body, me, now, params, services } = input
      const change = {
        body,
        photos,
        baseVersion: body.base_version ?? null,
        auto: services.config.listingReview === 'auto',
      }
      const edited = await editListing(tx, params.id, me.id, change, now)
      const detail = await readDetail(tx, params.id, viewerIn(input))
      if (edited !== 'done')
        throw refuse('edit_conflict', { current: detail, conflicts: edited.conflicts })
      return detail
    },
    { texts: fieldTexts, limit: CHANGES },
  ),

  writeRoute(wire.deleteListing, ({ params, me, now }, tx) =>
    deleteListing(tx, params.id, me.id, now),
  ),

  writeRoute(
    wire.toggleListing,
    async (input, tx) => {
      const { body, me, now, params } = input
      const request = toggleRequestOf(body.action, body.desired ?? null)
      if (request === null) throw refuseField('action', 'invalid_choice')
      if (request === 'contradiction') throw refuseField('desired', 'invalid')
      const changed = await toggleListing(tx, params.id, me.id, request, now)
      return {
        id: params.id,
        action: request.flag,
        changed,
        listing: await readDetail(tx, params.id, viewerIn(input)),
      }
    },
    { limit: CHANGES },
  ),

  writeRoute(
    wire.reactivateListing,
    async (input, tx) => {
      const { body, me, now, params } = input
      await reactivateListing(tx, params.id, me.id, body.add_days ?? 30, now)
      return readDetail(tx, params.id, viewerIn(input))
    },
    { limit: CHANGES },
  ),

  writeRoute(
    wire.reorderImages,
    async (input, tx) => {
      const { body, me, now, params } = input
      if (new Set(body.image_ids).size < body.image_ids.length)
        throw refuseField('image_ids', 'invalid')
      await reorderImages(tx, params.id, me.id, body.image_ids, now)
      const { id, version, images } = await readDetail(tx, params.id, viewerIn(input))
      return { id, version, images }
    },
    { limit: CHANGES },
  ),

  readRoute(wire.myListings, async (input) => {
    const { db, me, now, query } = input
    const filter = filterOf({ ordering: query.ordering, sort: query.sort }, now)
    const list = await paged(input, PAGE_SIZE, PAGE_SIZE_MAX, (page) =>
      ownListings(db, me.id, query.status ?? 'all', filter, page, viewOf(input)),
    )
    const cursor = await cursorAt(db, (await momentOf(db)).position, now)
    return { ...list, cursor, totals: await totalsOf(db, me.id, now) }
  }),

  preparedRoute(
    wire.uploadPhoto,
    async (input) => {
      const { db, files, key, fingerprint, me } = input
      const [file] = files['file'] ?? []
      if (file === undefined) throw refuseField('file', 'required')
      if ((await uploadedBefore(db, me.id, key, fingerprint)) !== null) return null
      const [picture] = await takePhotos(input, [file], 'file')
      return picture ?? null
    },
    async ({ key, fingerprint, me, now }, tx, picture) => {
      const known = await uploadedBefore(tx, me.id, key, fingerprint)
      if (known !== null) return reply(known, { headers: REPLAYED })
      if (picture === null) throw refuse('upload_not_found')
      return keepUpload(tx, me.id, picture, key, fingerprint, now)
    },
    { limit: UPLOADS },
  ),

  writeRoute(wire.dropUpload, ({ params, me, now }, tx) => dropUpload(tx, me.id, params.id, now)),
]
