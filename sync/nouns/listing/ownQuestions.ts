import { combineLatest, map } from 'rxjs'
import * as v from 'valibot'
import type { OwnListingDocument } from '#schema/disk/documents'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { readListing as readListingCall } from '#schema/wire/listing'
import { myListings, ownTotals, type OwnTotals } from '#schema/wire/own'
import type { Need, QuestionRule, QuestionRules, CallResult, Tools } from '../../noun.ts'
import { members, page, type Page } from '../tolerant.ts'
import { FRESH_MS } from './list.ts'
import { upsertListings, ownOf } from './upsert.ts'
import { readListing } from './read.ts'
import { withOptimisticState } from './optimistic.ts'

const PAGES_MAX = 10
const DETAILS_MAX = 50

const mine: QuestionRule<'listings.mine'> = {
  watch: ({ status }, { store, outbox, now }) =>
    combineLatest([
      store.observe('ownListings', { index: ['newestMade'] }),
      store.observeOne('ownLists', mineNeed.key),
      outbox,
    ]).pipe(
      map(([all, book, entries]) => {
        const totals = v.safeParse(ownTotals, book?.facts)
        const listings = all.flatMap((one) => withOptimisticState(one, entries, now()) ?? [])
        return {
          rows: listings.filter(
            ({ is_archived: archived }) => status === 'all' || archived === (status === 'archived'),
          ),
          facts: { totals: totals.success ? totals.output : null, problem: book?.problem ?? null },
          empty: all.length === 0 && book === null,
        }
      }),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [mineNeed]),
  samples: [{ status: 'active' }],
}

interface Found extends Page<OwnListingDocument> {
  readonly totals: OwnTotals | null
}

/** All own listings in every status; its facts are their totals. */
const mineNeed: Need = {
  key: 'mine',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools, { known }) {
    const { http, store, now } = tools
    const rows: OwnListingDocument[] = []
    let next: string | null = null
    let first: CallResult<Found> | null = null
    for (let n = 0; n < PAGES_MAX; n++) {
      const ask: object =
        next === null
          ? {
              query: { status: 'all' as const, page_size: PAGE_SIZE_MAX },
              etag: known?.next === null ? known.etag : null,
            }
          : { next }
      const reply: CallResult<Found> = await http.call(myListings, ask, (body) =>
        readMine(body, now()),
      )
      if (reply.kind === 'unchanged') await scheduleDetails(tools)
      if (reply.kind !== 'done') return reply
      first ??= reply
      rows.push(...reply.answer.rows)
      next = reply.answer.next
      if (next === null) break
    }
    const named = new Set(rows.map(({ id }) => id))
    const here = await store.find('ownListings', { index: ['newestMade'] })
    await store.put('ownListings', rows, (old, coming) =>
      coming.updated_at < old.updated_at ? old : { ...coming, more: coming.more ?? old.more },
    )
    // Local listings that are not sent yet are not in the server's list.
    if (next === null)
      await store.remove(
        'ownListings',
        here.flatMap(({ id, client_id: local }) => (named.has(id) || id === local ? [] : [id])),
      )
    await scheduleDetails(tools)
    const { answer, etag } = first?.kind === 'done' ? first : { answer: null, etag: null }
    // The ETag only covers the first page, so it is useless with more pages.
    return {
      kind: 'done',
      answer: { facts: answer?.totals ?? null, next: rows.length > PAGE_SIZE_MAX ? 'more' : null },
      etag: etag ?? null,
    }
  },
}

async function scheduleDetails(tools: Tools): Promise<void> {
  if ((await withoutDetail(tools)).length > 0) tools.scheduleRefetch(detailsNeed)
}

/**
 * Details of own listings that were loaded only as cards or changed since: editing must work
 * offline.
 */
const detailsNeed: Need = {
  key: 'mine-details',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools) {
    for (const id of await withoutDetail(tools)) {
      // Sequential, as nothing waits for them.
      // oxlint-disable-next-line no-await-in-loop
      const reply = await tools.http.call(readListingCall, { params: { id } }, (body) =>
        readListing(body, tools.now()),
      )
      if (reply.kind === 'done') await upsertListings(tools, [reply.answer])
      else if (reply.kind !== 'refused') return reply
    }
    return { kind: 'done', answer: {} }
  },
}

async function withoutDetail({ store }: Tools): Promise<readonly string[]> {
  const here = await store.find('ownListings', { index: ['newestMade'], limit: DETAILS_MAX })
  return here.flatMap(({ id, client_id: local, is_archived: archived, more, version }) =>
    archived || id === local || (more !== null && more.version >= version) ? [] : [id],
  )
}

function readMine(body: unknown, now: number): Found | null {
  const read = page(body, (row) => {
    const listing = readListing(row, now)
    return listing && ownOf(listing, row)
  })
  const totals = v.safeParse(ownTotals, members(body)['totals'])
  return read && { ...read, totals: totals.success ? totals.output : null }
}

export const questions = { 'listings.mine': mine } satisfies QuestionRules
