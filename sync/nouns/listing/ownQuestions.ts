import { combineLatest, from, map, Observable, startWith, switchMap } from 'rxjs'
import { PAGE_SIZE_MAX } from '#schema/limits'
import type { Outcome } from '#schema/port/outcome'
import { readListing as readListingCall } from '#schema/wire/listing'
import { myListings, ownTotals } from '#schema/wire/own'
import type {
  DraftStore,
  EventHandler,
  Need,
  QuestionRules,
  RequestRules,
  Tools,
} from '../../noun.ts'
import { forSignedIn, mapAnswer, observeList, readPages, removeAbsent } from '../needs.ts'
import { members, page, parsed } from '../tolerant.ts'
import { FRESH_MS } from './list.ts'
import { newer, ownOf, upsertListings, readListing } from './upsert.ts'
import { withOptimisticState } from './optimistic.ts'

const PAGES_MAX = 10
const DETAILS_MAX = 50

const mineNeed: Need = {
  key: 'mine',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools, { known }) {
    const { http, store } = tools
    const before = await store.ownListings.find().exec()
    const reply = await readPages(
      http,
      myListings,
      { query: { status: 'all', page_size: PAGE_SIZE_MAX }, etag: known?.etag },
      PAGES_MAX,
      (body) => readMine(body, tools.now()),
    )
    if (reply.kind === 'unchanged') await scheduleDetails(tools)
    return mapAnswer(reply, async (pages) => {
      const rows = pages.flatMap((one) => one.rows)
      const stored = await store.ownListings.findByIds(before.map(({ id }) => id)).exec()
      const gone = before.flatMap(({ id }) => (stored.has(id) ? [] : [id]))
      const still = rows.filter(({ id }) => !gone.includes(id))
      await store.ownListings.put(still, newer)
      const sent = before.filter(({ id, client_id: local }) => id !== local)
      if (pages.at(-1)?.next === null) await removeAbsent(store.ownListings, sent, rows)
      await scheduleDetails(tools)
      return { facts: pages[0]?.totals ?? null }
    })
  },
}

async function scheduleDetails(tools: Tools) {
  if ((await withoutDetail(tools)).length > 0) tools.scheduleRefetch(detailsNeed)
}

/** Editing must work offline. */
const detailsNeed: Need = {
  key: 'mine-details',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools) {
    for (const id of await withoutDetail(tools)) {
      // oxlint-disable-next-line no-await-in-loop -- nothing waits for them
      const reply = await tools.http.call(readListingCall, { params: { id } }, (body) =>
        readListing(body, tools.now()),
      )
      if (reply.kind === 'done') await upsertListings(tools, [reply.answer])
      else if (reply.kind !== 'refused') return reply
    }
    return { kind: 'done', answer: {} }
  },
}

async function withoutDetail({ store }: Tools) {
  const stored = await store.ownListings.find({ limit: DETAILS_MAX }).exec()
  return stored.flatMap(({ id, client_id: local, is_archived: archived, more, version }) =>
    archived || id === local || (more !== null && more.version >= version) ? [] : [id],
  )
}

function readMine(body: unknown, now: number) {
  const read = page(body, (row) => {
    const listing = readListing(row, now)
    return listing && ownOf(listing, row)
  })
  return read && { ...read, totals: parsed(ownTotals, members(body)['totals']) }
}

export const questions = {
  'listings.mine': {
    watch: ({ status }, { store, outbox, now }) =>
      combineLatest([store.ownListings.find().$, observeList(store, mineNeed), outbox]).pipe(
        map(([all, known, entries]) => {
          const listings = all.flatMap((one) => withOptimisticState(one, entries, now()) ?? [])
          return {
            rows: listings.filter(
              ({ is_archived: archived }) =>
                status === 'all' || archived === (status === 'archived'),
            ),
            facts: { totals: parsed(ownTotals, known?.facts) },
            noDataYet: all.length === 0,
          }
        }),
      ),
    needs: forSignedIn(mineNeed),
  },
  'listing.drafts': {
    watch: (_params, tools) => {
      const { me } = tools.currentUser()
      return from(tools.drafts()).pipe(
        switchMap((store) =>
          new Observable<void>((reader) => store.onChange(() => reader.next())).pipe(
            startWith(undefined),
            switchMap(() => store.list(me)),
          ),
        ),
        map((rows) => ({ rows, facts: { owner: me } })),
      )
    },
    needs: () => [],
  },
} satisfies QuestionRules

const changed: EventHandler = async ({ listing_id: id }, _frame, tools) => {
  tools.refetchQuestion('listings.mine', { status: 'all' })
  if (id !== null) tools.refetchQuestion('listing.detail', { id })
}

export const listingEvents = {
  'listing.reviewed': changed,
  'listing.published': changed,
}

export const draftRequests: RequestRules = {
  'draft.keepListing': (draft, tools) =>
    keep(draft.id, draft.owner, tools, (store, owner) =>
      store.save({ ...draft, owner, at: tools.now() }),
    ),
  'draft.removeListing': async ({ id }, tools) => {
    await (await tools.drafts()).remove(id)
    return done
  },
  'draft.keepPhoto': (photo, tools) =>
    keep(photo.draft, photo.owner, tools, (store, owner) => store.savePhoto({ ...photo, owner })),
  'draft.photo': async ({ id }, tools) => ({
    kind: 'done',
    answer: { file: await (await tools.drafts()).photo(id) },
  }),
  'draft.removePhoto': async ({ id }, tools) => {
    await (await tools.drafts()).removePhoto(id)
    return done
  },
}

const done = { kind: 'done', answer: null } as const

/** Saves for the draft's first owner, even after the session ended or changed. */
async function keep(
  draft: string,
  beganBy: string | undefined,
  { drafts, currentUser, endedSessionOwner }: Tools,
  write: (store: DraftStore, owner: string) => Promise<void>,
): Promise<Outcome<null>> {
  const store = await drafts()
  const owner =
    (await store.ownerOf(draft)) ?? (beganBy || currentUser().me || (await endedSessionOwner()))
  if (owner === '') return { kind: 'signed-out', problem: null }
  await write(store, owner)
  return done
}
