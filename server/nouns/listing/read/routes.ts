import * as wire from '#schema/wire/listing'
import { suggestSearches } from '#schema/wire/suggestion'
import { PAGE_SIZE, PAGE_SIZE_MAX, SIMILAR_SIZE, SUGGESTIONS } from '#schema/limits'
import {
  SUGGEST,
  linksOf,
  pageOf,
  readRoute,
  writeRoute,
  type Exchange,
  type LimitRow,
  type Page,
  type Route,
} from '../../../route/index.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import { cardsOf, type View } from '../card.ts'
import { contact } from './contact.ts'
import { readDetail, type Viewer } from './detail.ts'
import { readFacets } from '../search/facets.ts'
import { visible } from '../search/where.ts'
import { countViews, knownViewer, sessionOf, type Someone, noteSearch, track } from './interest.ts'
import { listListings } from './list.ts'
import { plainQuery } from '../search/params.ts'
import { recommended, similarTo } from './recommend.ts'
import { suggest } from '../search/suggest.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

type Asking = Pick<Exchange, 'caller' | 'now' | 'language'>

export const viewOf = ({ caller, now, language }: Asking): View => ({
  me: caller?.id ?? null,
  now,
  language,
})
export const viewerIn = (asking: Asking & Pick<Exchange, 'services'>): Viewer => ({
  ...viewOf(asking),
  isModerator: asking.caller?.isModerator ?? false,
  publicUrl: asking.services.publicUrl,
})
const someoneIn = (
  { caller, address, userAgent, visitorSession }: Someone,
  session?: string | null,
): Someone => ({
  caller,
  address,
  userAgent,
  visitorSession: sessionOf(session, visitorSession),
})

const CONTACT: LimitRow = {
  name: 'contacted',
  user: [{ count: 60, seconds: 3600 }],
  visitor: [{ count: 10, seconds: 3600 }],
}
const TRACK: LimitRow = {
  name: 'track',
  user: [{ count: 120, seconds: 60 }],
  visitor: [{ count: 120, seconds: 60 }],
}

export const listingReads: readonly Route[] = [
  readRoute(wire.browseListings, async (input) => {
    const { page, page_size: size, ...raw } = input.query
    const query = plainQuery({ ...raw, page, page_size: size })
    if (query['search'] !== undefined && size !== undefined && size <= SUGGESTIONS)
      await input.count(SUGGEST)
    const answer = await listListings(
      input.db,
      { path: 'listings/', query, page, size },
      viewOf(input),
    )
    await noteSearch(
      input.db,
      query,
      knownViewer(input.caller?.id ?? null, input.visitorSession),
      input.now,
    )
    return answer
  }),

  readRoute(wire.readFacets, (input) =>
    readFacets(input.db, plainQuery(input.query), viewOf(input)),
  ),

  readRoute(suggestSearches, async (input) => {
    await input.count(SUGGEST)
    return suggest(input.db, plainQuery(input.query), viewOf(input))
  }),

  readRoute(wire.readListing, (input) => readDetail(input.db, input.params.id, viewerIn(input))),

  readRoute(wire.viewListing, async (input) => {
    const { db, params, query, now } = input
    if (!input.head) await countViews(db, [params.id], someoneIn(input, query.session_id), now, now)
    return readDetail(db, params.id, viewerIn(input))
  }),

  readRoute(wire.similarListings, async (input) => {
    const { db, params, query } = input
    const ids = await similarTo(db, params.id, viewOf(input))
    return rankedPage(input, ids, pageOf(query, SIMILAR_SIZE, PAGE_SIZE), viewOf(input))
  }),

  readRoute(wire.recommendListings, async (input) => {
    const { db, query } = input
    const asked = query.type ?? 'for_you'
    const type = asked === 'new_from_followed' || asked === 'popular' ? ALIASES[asked] : asked
    const me = input.caller?.id ?? null
    const ids = await recommended(
      db,
      type,
      { me, viewer: knownViewer(me, sessionOf(query.session_id, input.visitorSession)) },
      input.now,
    )
    const page = pageOf(query, PAGE_SIZE, PAGE_SIZE_MAX)
    return { type, ...(await rankedPage(input, ids, page, viewOf(input))) }
  }),

  writeRoute(
    wire.contactSeller,
    async (input, tx) => {
      const { params, body } = input
      const channel = body.channel ?? 'phone'
      return {
        listing_id: params.id,
        channel,
        contact_phone: await contact(
          tx,
          params.id,
          channel,
          someoneIn(input, body.session_id),
          input.now,
        ),
      }
    },
    { limit: CONTACT },
  ),

  writeRoute(
    wire.trackEvents,
    async (input, tx) => {
      await track(tx, input.body, someoneIn(input), input.now)
    },
    { limit: TRACK, silent: ['rate_limited'] },
  ),
]

const ALIASES = { new_from_followed: 'followed', popular: 'trending' } as const

async function rankedPage(
  listed: Parameters<typeof linksOf>[0] & { readonly db: Db },
  ids: readonly string[],
  page: Page,
  view: View,
) {
  const links = linksOf(listed, page, ids.length)
  const shown = ids.slice(page.offset, page.offset + page.size)
  const keys = sql`select l.id from unnest(${shown}::text[]) with ordinality as wanted(id, n)
    join listing l on l.id = wanted.id where ${visible(view.now)} order by wanted.n`
  return {
    ...links,
    results: (await cardsOf(listed.db, keys, view, null, plannedOnce)).map(({ card }) => card),
  }
}
