import { combineLatest, map, switchMap } from 'rxjs'
import { DAY_MS, FAVOURITES_MAX, IDS_SIZE, PAGE_SIZE } from '#schema/limits'
import { listFavourites } from '#schema/wire/favourite'
import { browseListings } from '#schema/wire/listing'
import type { Need, QuestionRules, SavedDocument, Store, Tools } from '../../noun.ts'
import { upsertListings, readListing } from '../listing/upsert.ts'
import { forSignedIn, inOrder, mapAnswer, observeList, readPages, removeAbsent } from '../needs.ts'
import { deepEqual, idOf, members, moment, msOf, page } from '../tolerant.ts'

const FRESH_MS = 10 * 60_000
const PAGES_MAX = FAVOURITES_MAX / PAGE_SIZE

const savedIn = (rows: readonly SavedDocument[]) =>
  rows.filter(({ saved }) => saved).map(({ id }) => id)

const savedIds = ({ saved }: Store) => saved.find().$.pipe(map(savedIn))

export const favouritesNeed: Need = {
  key: 'favourites',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools, { known }) {
    const { saved } = tools.store
    const before = await saved.find().exec()
    // The answer may lack what is sent meanwhile; right after sign-in the outbox still loads.
    const changing = new Set<unknown>()
    const listening = tools.outbox.subscribe((entries) => {
      for (const { name, payload } of entries)
        if (name === 'listing.save') changing.add(payload['listing'])
    })
    try {
      const reply = await readPages(
        tools.http,
        listFavourites,
        { etag: known?.etag },
        PAGES_MAX,
        (body) => page(body, readFavourite),
      )
      return await mapAnswer(reply, async (pages) => {
        const rows = pages.flatMap((one) => one.rows)
        const settled = ({ id }: SavedDocument) => !changing.has(id)
        const old = new Map(before.map((row) => [row.id, row]))
        await saved.put(rows.filter(settled), (stored, incoming) =>
          deepEqual(stored, old.get(stored.id)) ? incoming : stored,
        )
        await removeAbsent(saved, before.filter(settled), rows)
        await fetchMissingCards(tools, rows)
        return {}
      })
    } finally {
      listening.unsubscribe()
    }
  },
}

function readFavourite(body: unknown) {
  const { listing_id, listing, id: own, created_at } = members(body)
  const id = idOf(listing_id) ?? idOf(listing) ?? idOf(own)
  return id === null ? null : { id, newest: -msOf(moment(created_at)), saved: true }
}

/** A listing that the server does not return is requested only once. */
async function fetchMissingCards(tools: Tools, rows: readonly SavedDocument[]) {
  const ids = rows.map(({ id }) => id)
  const stored = await tools.store.listings.findByIds(ids).exec()
  const asked = (await tools.store.ownLists.findOne(cardsNeed.key).exec())?.ids ?? []
  if (ids.some((id) => !stored.has(id) && !asked.includes(id))) tools.scheduleRefetch(cardsNeed)
}

/** Cards that are missing or not confirmed for a day. `Math.abs`: the clock may have been ahead. */
const cardsNeed: Need = {
  key: 'saved-cards',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools) {
    const { store, now } = tools
    const ids = savedIn(await store.saved.find().exec())
    const stored = await store.listings.findByIds(ids).exec()
    const wanted = ids.filter((id) => Math.abs(now() - (stored.get(id)?.storedAt ?? 0)) > DAY_MS)
    for (let from = 0; from < wanted.length; from += IDS_SIZE) {
      const asked = wanted.slice(from, from + IDS_SIZE)
      const reply = await tools.http.call(
        browseListings,
        { query: { ids: asked.join(',') } },
        (body) => page(body, (row) => readListing(row, now())),
      )
      if (reply.kind !== 'done') return reply
      await upsertListings(tools, reply.answer.rows)
      // The screen shows deleted ones as `missing` (`schema/port/question.ts`).
      await store.listings.remove(reply.answer.missing)
    }
    return { kind: 'done', answer: { ids } }
  },
}

export const questions = {
  'saved.ids': {
    watch: (_, { store }) =>
      savedIds(store).pipe(map((ids) => ({ rows: [], facts: { ids }, noDataYet: false }))),
    needs: forSignedIn(favouritesNeed),
  },
  'listings.saved': {
    watch: (_, { store }) =>
      savedIds(store).pipe(
        switchMap((ids) =>
          combineLatest([store.listings.findByIds(ids).$, observeList(store, cardsNeed)]).pipe(
            map(([stored, list]) => ({
              rows: inOrder(ids, stored),
              facts: { missing: ids.filter((id) => !stored.has(id)) },
              noDataYet: ids.length > 0 && stored.size === 0 && list === null,
            })),
          ),
        ),
      ),
    needs: (_, { currentUser }) =>
      currentUser().me === '' ? [cardsNeed] : [favouritesNeed, cardsNeed],
  },
} satisfies QuestionRules
