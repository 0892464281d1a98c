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
import { filterOf } from '../search/queries.ts'
import { createListing, madeBefore, editListing, reorderImages, ownsListing } from './edit.ts'
import { readDetail } from '../read/detail.ts'
import { cursorNow } from '../read/feed.ts'
import { fieldTexts, readFields } from './fields.ts'
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
import { sql } from 'kysely'
import type { ListingStatus } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import { countOf } from '../../../db/sql.ts'
import { pick } from '#schema/pick'
import type { Db, Row } from '../../../db/tables.ts'
import { cardsOf, dayOf } from '../card.ts'
import { orderByKeys, sortOrderOf, selectKeys } from '../search/sort.ts'
import { reasonIn } from '../moderation/moderation.ts'
import { statusIn } from '../status.ts'

const CHANGES: LimitRow = { name: 'listing-changes', user: [{ count: 120, seconds: 3600 }] }
const WEEK_MS = 7 * 86_400_000

/** Ten a day in an account's first week [API 1.6]. */
const creations = (joinedAt: Date, now: Date) => ({
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
    const order = sortOrderOf(filter, true)
    const which = sql`l.seller_id = ${me.id} and l.deleted_at is null
      and ${inStatus(query.status ?? 'all', now)}`
    const list = await paged(input, PAGE_SIZE, PAGE_SIZE_MAX, async ({ size, offset }) => {
      const keys = sql`select l.id, ${selectKeys(order)} from listing l ${order.join} where ${which}
        order by ${orderByKeys(order)} limit ${size} offset ${offset}`
      const found = await cardsOf(db, keys, viewOf(input), columns)
      return {
        count: await countOf(db, sql`listing l where ${which}`),
        rows: found.map(({ card, row }) => ({ ...card, ...ownOf(row, input.language) })),
      }
    })
    return { ...list, cursor: await cursorNow(db, now), totals: await totalsOf(db, me.id, now) }
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
    { limit: { name: 'uploads', user: [{ count: 120, seconds: 3600 }] } },
  ),

  writeRoute(wire.dropUpload, ({ params, me, now }, tx) => dropUpload(tx, me.id, params.id, now)),
]

/** `active` means not archived. */
type Shown = 'all' | Exclude<ListingStatus, 'deleted'>

type OwnRow = Pick<
  Row<'listing'>,
  'featured_until' | 'review_reason' | 'sold_at' | 'version' | 'client_id' | 'created_at'
> &
  Pick<Row<'listing_tally'>, 'contacts_total' | 'favorites_count'> & { unread_messages: number }

const columns = sql<OwnRow>`l.featured_until, l.review_reason, l.sold_at, l.version, l.client_id, l.created_at,
  coalesce(t.contacts_total, 0) as contacts_total, coalesce(t.favorites_count, 0) as favorites_count,
  (select coalesce(sum(p.unread), 0)::integer from conversation c
    join participant p on p.conversation_id = c.id and p.user_id = l.seller_id
    where c.listing_id = l.id) as unread_messages`

function ownOf(row: OwnRow & { expires_at: Date | null }, language: Language) {
  return {
    expires_at: row.expires_at?.toISOString() ?? null,
    featured_until: row.featured_until?.toISOString() ?? null,
    review_reason: reasonIn(row.review_reason, language),
    sold_at: row.sold_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...pick(row, ['version', 'client_id', 'contacts_total', 'favorites_count', 'unread_messages']),
  }
}

const inStatus = (shown: Shown, now: Date) =>
  shown === 'all'
    ? sql`true`
    : shown === 'active'
      ? sql`not l.is_archived`
      : sql`${statusIn(now)} = ${shown}`

/** [API 9.7]; `active` counts reserved ones too. */
async function totalsOf(db: Db, me: string, now: Date): Promise<wire.OwnTotals> {
  const n = (...among: ListingStatus[]) =>
    sql`count(*) filter (where ${statusIn(now)} = any(${among}))::integer`
  const { rows } = await sql<wire.OwnTotals>`
    select count(*)::integer as all, ${n('active', 'reserved')} as active, ${n('archived')} as archived,
      ${n('pending')} as pending, ${n('sold')} as sold,
      coalesce(sum(t.views_total), 0)::integer as views_total,
      coalesce(sum(t.views_today) filter (where t.views_day = ${dayOf(now)}::date), 0)::integer as views_today,
      coalesce(sum(t.contacts_total), 0)::integer as contacts_total
    from listing l left join listing_tally t on t.listing_id = l.id where l.seller_id = ${me}
      and l.deleted_at is null`.execute(db)
  const totals = rows[0]
  if (totals === undefined) throw new Error('the database answered nothing')
  return totals
}
