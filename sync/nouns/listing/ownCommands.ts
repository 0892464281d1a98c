import type { Problem } from '#schema/wire/problem'
import { currentOf, clashes, rebase } from '#schema/edit'
import { readListing as readOwn } from '#schema/wire/listing'
import {
  deleteListing,
  editListing,
  reactivateListing,
  reorderImages,
  toggleListing,
} from '#schema/wire/own'
import type { CommandRule, CommandRules, Entry, Lookup, Payload, Step, Tools } from '../../noun.ts'
import { deletion, images as imagesIn, members } from '../tolerant.ts'
import { opposite } from '../toggle.ts'
import { bodyOf, mapValues, publish, uploadStep, withoutForgotten, withPhotos } from './publish.ts'
import { isListing, isNamed, NOT_FOUND, storeListing } from './upsert.ts'

type P = Payload<'listing.edit'>
interface OfListing {
  readonly listing: string
}

/** Commands that wait until the listing is published. */
const ofListing = {
  lane: ({ listing }: OfListing) => `listing:${listing}`,
  after: { command: 'listing.publish' },
  async revert(
    { payload: { listing } }: { readonly payload: OfListing },
    _problem: unknown,
    { refetchQuestion }: Tools,
  ) {
    refetchQuestion('listing.detail', { id: listing })
  },
} as const

/** New photos, all changes in one request, the photo order. A 409 has `current` [API 9.2]. */
const edit: CommandRule<P, unknown> = {
  ...ofListing,
  // The later edit contains the changes of the earlier one, which was not sent.
  collapse: ({ draft }, earlier) => (earlier.draft === draft ? 'replace' : null),
  deliver: ({ id, payload }) => uploadStep(payload) ?? orderStep(id, payload) ?? changing(payload),
  async settle({ id, payload: { draft } }, answer, tools) {
    // First: with full storage the documents may fail.
    await removeDraft(tools, draft, id)
    await storeListing(tools, answer)
  },
}

/** null: there are changes to send first. */
function orderStep(key: string, payload: P): Step<P, unknown> | null {
  const { listing, left } = payload
  const order = left?.order ?? onlyOrder(payload)
  return (
    order && {
      call: reorderImages,
      params: { id: listing },
      body: { image_ids: order },
      key: `${key}-order`,
      answer(body) {
        const { images } = members(body)
        if (!isNamed(body, listing)) return null
        return { answer: left ? { ...members(left.listing), images } : null }
      },
    }
  )
}

function changing(payload: P): Step<P, unknown> {
  const { listing, fields, photos, images, baseVersion } = payload
  const removed = images ? images.before.filter((one) => !images.order.includes(one)) : []
  const body = {
    ...bodyOf(fields),
    ...(removed.length > 0 && { removed_image_ids: removed }),
    ...(baseVersion !== null && { base_version: baseVersion }),
  }
  return {
    call: editListing,
    params: { id: listing },
    // In a form, an empty part means null.
    ...withPhotos(payload.whole ? mapValues(body, (value) => value ?? '') : body, payload),
    answer(whole) {
      if (!isListing(whole, listing)) return null
      const order = orderLeft(payload, whole)
      return order ? { next: { ...payload, left: { order, listing: whole } } } : { answer: whole }
    },
    refused: (problem) => withoutForgotten(payload, problem) ?? rebased(payload, problem),
    ...(images && photos.length > 0 && { keyless: { lookup: lookFor(listing, photos, images) } }),
  }
}

function lookFor(
  listing: string,
  photos: P['photos'],
  { before, order }: NonNullable<P['images']>,
): Lookup {
  return {
    call: readOwn,
    params: { id: listing },
    found(body) {
      if (!isNamed(body, listing)) return null
      const there = imageIdsIn(body)
      const fresh = there.filter((id) => !before.includes(id)).length
      const removed = before.filter((id) => !order.includes(id)).every((id) => !there.includes(id))
      return fresh >= photos.length && removed ? body : undefined
    },
  }
}

function imageIdsIn(listing: unknown) {
  return imagesIn(members(listing)['images']).map(({ id }) => id)
}

function onlyOrder({ fields, photos, images }: P) {
  const isAlone =
    images !== null &&
    images.order.length > 0 &&
    Object.keys(fields).length === 0 &&
    photos.length === 0 &&
    images.before.every((id) => images.order.includes(id))
  return isAlone ? images.order : null
}

/** By server ids; new photos were appended. null: already correct. */
function orderLeft({ images, photos }: P, listing: unknown) {
  if (images === null) return null
  const there = imageIdsIn(listing)
  const fresh = there.slice(there.length - photos.length)
  const named = new Map(photos.map(({ id }, place) => [id, fresh[place] ?? id]))
  const wanted = images.order.map((id) => named.get(id) ?? id).filter((id) => there.includes(id))
  return wanted.every((id, place) => id === there[place]) ? null : wanted
}

/** After an edit of other fields by another device; null: the user must resolve a conflict. */
function rebased(payload: P, problem: Problem) {
  const now = currentOf(problem)
  const isNewer = now !== null && now.version > (payload.baseVersion ?? Number.MAX_SAFE_INTEGER)
  if (!isNewer || clashes(payload, now).length > 0) return null
  return { ...payload, ...rebase(payload, now, () => true), baseVersion: now.version }
}

/** Unless another entry still uses it. */
async function removeDraft({ outbox, drafts }: Tools, draft: string, id: string) {
  let entries: readonly Entry[] = []
  // It emits at once. `firstValueFrom` of rxjs would enlarge the service worker.
  outbox.subscribe((now) => (entries = now)).unsubscribe()
  const isUsed = entries.some(
    (one) => one.id !== id && one.state !== 'acknowledged' && one.payload['draft'] === draft,
  )
  if (!isUsed) await (await drafts()).remove(draft)
}

/** Without optimistic documents: waiting entries are applied at reading (optimistic.ts). */
export const commands = {
  'listing.publish': publish,
  'listing.edit': edit,
  'listing.state': {
    ...ofListing,
    collapse: ({ flag, desired }, earlier) =>
      flag === earlier.flag ? opposite(desired, earlier.desired) : null,
    deliver: ({ payload: { listing, flag, desired } }) => ({
      call: toggleListing,
      params: { id: listing },
      body: { action: flag, desired },
      answer(body) {
        const { listing: whole } = members(body)
        return isNamed(body, listing) || isListing(whole, listing) ? { answer: whole } : null
      },
    }),
    async settle(queued, whole, tools) {
      if (isListing(whole, queued.payload.listing)) await storeListing(tools, whole)
      else await ofListing.revert(queued, null, tools)
    },
  },
  'listing.reactivate': {
    ...ofListing,
    collapse: () => 'replace',
    deliver: ({ payload: { listing, days } }) => ({
      call: reactivateListing,
      params: { id: listing },
      body: { add_days: days },
      answer: (body) => (isListing(body, listing) ? { answer: body } : null),
    }),
    settle: (_queued, answer, tools) => storeListing(tools, answer),
  },
  'listing.delete': {
    ...ofListing,
    deliver: ({ payload }) => deletion(deleteListing, payload.listing),
    async settle({ payload: { listing } }, _answer, { store }) {
      await store.ownListings.remove([listing])
      await store.listings.remove([listing])
      // Else its screen would show loading.
      await store.ownLists.change(`detail:${listing}`, (stored) => ({
        ...stored,
        problem: NOT_FOUND,
      }))
    },
  },
} satisfies CommandRules
