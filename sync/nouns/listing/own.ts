import type { OwnListingDocument } from '#schema/disk/documents'
import type { Payload } from '#schema/port/command'
import { REACTIVATE_DAYS_MAX } from '#schema/limits'
import { deleteListing, editListing, reactivateListing, reorderImages, toggleListing } from '#schema/wire/listing'
import type { CommandName } from '#schema/port/command'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { collapseDesired } from '../desired.ts'
import { idOf, images, members, msOf } from '../plainer.ts'
import { keepListings } from './keep.ts'
import { forgotten, keepingUploads, nextPhoto, photoBytes, uploading, uploadOf, withUpload } from './photos.ts'
import { bodyOf, publish } from './publish.ts'
import { readListing } from './read.ts'
import { statusOf } from './status.ts'

const DAY_MS = 86_400_000

const lane = ({ listing }: { readonly listing: string }): string => `listing:${listing}`
/** What is done to a listing that is still to be published waits for that. */
const after: readonly CommandName[] = ['listing.publish']

type EditAnswer = { readonly upload: string } | { readonly listing: unknown }

const edit: CommandRule<Payload<'listing.edit'>, EditAnswer> = {
  lane,
  after,
  bytes: ({ fields, photos }) => JSON.stringify(fields).length + photoBytes(photos),
  wifiOnly: ({ wifiOnly }) => wifiOnly,
  again: (old, coming) => ({ ...coming, photos: keepingUploads(old.photos, coming.photos) }),
  async apply({ payload: { listing, fields } }, { store }) {
    await store.change('ownListings', listing, (here) => edited(here, fields))
  },
  deliver({ payload: { listing, fields, photos, removed, baseVersion } }) {
    const photo = nextPhoto(photos)
    if (photo) return uploading(photo)
    const uploads = photos.flatMap(({ upload }) => upload ?? [])
    return {
      call: editListing,
      params: { id: listing },
      body: {
        ...bodyOf(fields),
        ...(uploads.length > 0 ? { uploaded_image_ids: uploads } : {}),
        ...(removed.length > 0 ? { removed_image_ids: removed } : {}),
        ...(baseVersion === null ? {} : { base_version: baseVersion }),
      },
    }
  },
  answer(body, { payload: { listing, photos } }) {
    if (nextPhoto(photos)) {
      const upload = uploadOf(body)
      return upload === null ? null : { upload }
    }
    return isListing(body, listing) ? { listing: body } : null
  },
  rest: (payload, answer) => ('upload' in answer ? { name: 'listing.edit', payload: { ...payload, photos: withUpload(payload.photos, answer.upload) } } : null),
  heal(payload, problem) {
    const photos = forgotten(payload.photos, problem)
    return photos && { ...payload, photos }
  },
  async settle(_queued, answer, tools) {
    if (answer && 'listing' in answer) await keep(tools, answer.listing)
  },
  /** The server's is shown again; on 409 the problem carries its `current` and the `conflicts` (API.md 9.2). */
  async refuse({ payload: { listing } }, _problem, tools) {
    tools.renew('listing.detail', { id: listing })
  },
}

const order: CommandRule<Payload<'listing.order'>, { readonly images: ReturnType<typeof images> }> = {
  lane,
  after,
  collapse: (_payload, waiting) => ({ drop: waiting.map(({ id }) => id), queue: true }),
  deliver: ({ payload: { listing, images: ids } }) => ({ call: reorderImages, params: { id: listing }, body: { image_ids: ids } }),
  answer: (body, { payload }) => (idOf(members(body)['id']) === payload.listing ? { images: images(members(body)['images']) } : null),
  async settle({ payload: { listing } }, answer, { store }) {
    if (answer) await store.change('ownListings', listing, (here) => ({ ...here, cover: answer.images[0] ?? here.cover, more: here.more && { ...here.more, images: answer.images } }))
  },
  async refuse({ payload: { listing } }, _problem, tools) {
    tools.renew('listing.detail', { id: listing })
  },
}

const state: CommandRule<Payload<'listing.state'>, unknown> = {
  lane,
  after,
  collapse: ({ flag, desired }, waiting) => collapseDesired(desired, waiting.filter(({ payload }) => payload.flag === flag), (payload) => payload.desired),
  async apply({ payload: { listing, flag, desired } }, tools) {
    await flagged(tools, listing, { [`is_${flag}`]: desired })
  },
  deliver: ({ payload: { listing, flag, desired } }) => ({ call: toggleListing, params: { id: listing }, body: { action: flag, desired } }),
  answer: (body, { payload }) => (idOf(members(body)['id']) === payload.listing || isListing(members(body)['listing'], payload.listing) ? body : null),
  async settle({ payload: { listing } }, answer, tools) {
    const said = members(answer)['listing']
    if (isListing(said, listing)) await keep(tools, said)
    else tools.renew('listing.detail', { id: listing })
  },
  async refuse({ payload: { listing, flag, desired } }, _problem, tools) {
    await flagged(tools, listing, { [`is_${flag}`]: !desired })
    tools.renew('listing.detail', { id: listing })
  },
}

const reactivate: CommandRule<Payload<'listing.reactivate'>, unknown> = {
  lane,
  after,
  collapse: (_payload, waiting) => ({ drop: waiting.map(({ id }) => id), queue: true }),
  async apply({ payload: { listing, days }, bornAt }, tools) {
    const most = bornAt + REACTIVATE_DAYS_MAX * DAY_MS
    await flagged(tools, listing, { is_active: true, is_archived: false }, (until) => Math.min(Math.max(bornAt, until ?? 0) + days * DAY_MS, most))
  },
  deliver: ({ payload: { listing, days } }) => ({ call: reactivateListing, params: { id: listing }, body: { add_days: days } }),
  answer: (body, { payload }) => (isListing(body, payload.listing) ? body : null),
  async settle(_queued, answer, tools) {
    if (answer !== null) await keep(tools, answer)
  },
  async refuse({ payload: { listing } }, _problem, tools) {
    tools.renew('listing.detail', { id: listing })
  },
}

const remove: CommandRule<Payload<'listing.delete'>, true> = {
  lane,
  after,
  async apply({ payload: { listing } }, { store }) {
    await store.remove('ownListings', [listing])
    await store.remove('listings', [listing])
  },
  deliver: ({ payload: { listing } }) => ({ call: deleteListing, params: { id: listing } }),
  answer: (body) => (body === null ? true : null),
  alreadySo: (_problem, status) => status === 404,
  async refuse({ payload: { listing } }, _problem, tools) {
    tools.renew('listing.detail', { id: listing })
  },
}

/** Lays flags over an own listing, with the state that they come to; `expires` moves the end (ms; null: it has none). */
async function flagged({ store, now }: Tools, listing: string, flags: Partial<OwnListingDocument>, expires?: (until: number | null) => number): Promise<void> {
  await store.change('ownListings', listing, (here) => {
    const until = here.expires_at === null ? null : msOf(here.expires_at)
    const next = { ...here, ...flags, ...(expires && { expires_at: new Date(expires(until)).toISOString() }) }
    return { ...next, status: statusOf(next, now()) }
  })
}

function isListing(body: unknown, id: string): boolean {
  return idOf(members(body)['id']) === id && typeof members(body)['title'] === 'string'
}

async function keep(tools: Tools, body: unknown): Promise<void> {
  const listing = readListing(body, tools.now())
  if (listing) await keepListings(tools, [listing])
}

function edited(here: OwnListingDocument, fields: Payload<'listing.edit'>['fields']): OwnListingDocument {
  const { description, specs, contact_phone: phone, condition: _none, ...rest } = { condition: undefined, ...fields }
  const more = here.more && { ...here.more, description: description ?? here.more.description, specs: specs ?? here.more.specs }
  return { ...here, ...defined(rest), more, has_phone: phone === undefined ? here.has_phone : phone !== null }
}

/** Without the members that were not given. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> }
function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}

export const commands = {
  'listing.publish': publish,
  'listing.edit': edit,
  'listing.order': order,
  'listing.state': state,
  'listing.reactivate': reactivate,
  'listing.delete': remove,
} satisfies CommandRules
