import * as wire from '#schema/wire/listing'
import { pick } from '#schema/pick'
import { suggestSearches } from '#schema/wire/suggestion'
import { PAGE_SIZE, PAGE_SIZE_MAX, SIMILAR_SIZE, SUGGESTIONS } from '#schema/limits'
import {
  SUGGEST,
  linksOf,
  pageOf,
  readRoute,
  writeRoute,
  type Exchange,
  type Page,
  type Route,
} from '../../../route/index.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import { cardsOf, inThisOrder, type View } from '../card.ts'
import {
  contact,
  countViews,
  knownViewer,
  sessionOf,
  type Someone,
  noteSearch,
  track,
} from './interest.ts'
import { readDetail, type Viewer } from './detail.ts'
import { readFacets, suggestFor } from './facets.ts'
import { visible } from '../search/where.ts'
import { listListings } from './list.ts'
import { plainQuery } from '../search/queries.ts'
import { recommended, similarTo } from './recommend.ts'
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
const someoneIn = (input: Someone, session?: string | null) => ({
  ...pick(input, ['caller', 'address', 'userAgent']),
  visitorSession: sessionOf(session, input.visitorSession),
})

const TRACKED = [{ count: 120, seconds: 60 }]

export const listingReads: readonly Route[] = [
  readRoute(wire.browseListings, async (input) => {
    const { page, page_size: size, ...raw } = input.query
    const query = plainQuery({ ...raw, page, page_size: size })
    if (query['search'] !== undefined && size !== undefined && size <= SUGGESTIONS)
      await input.count(SUGGEST)
    const request = { path: 'listings/', query, page, size }
    const answer = await listListings(input.db, request, viewOf(input))
    const viewer = knownViewer(input.caller, input.visitorSession)
    await noteSearch(input.db, query, viewer, input.now)
    return answer
  }),

  readRoute(wire.readFacets, (input) =>
    readFacets(input.db, plainQuery(input.query), viewOf(input)),
  ),

  readRoute(suggestSearches, async (input) => {
    await input.count(SUGGEST)
    return suggestFor(input.db, plainQuery(input.query), viewOf(input))
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
    const { me } = viewOf(input)
    const viewer = knownViewer(input.caller, sessionOf(query.session_id, input.visitorSession))
    const ids = await recommended(db, type, { me, viewer }, input.now)
    const page = pageOf(query, PAGE_SIZE, PAGE_SIZE_MAX)
    return { type, ...(await rankedPage(input, ids, page, viewOf(input))) }
  }),

  writeRoute(
    wire.contactSeller,
    async (input, tx) => {
      const { body, now } = input
      const { id } = input.params
      const channel = body.channel ?? 'phone'
      const someone = someoneIn(input, body.session_id)
      const contact_phone = await contact(tx, id, channel, someone, now)
      return { listing_id: id, channel, contact_phone }
    },
    {
      limit: {
        name: 'contacted',
        user: [{ count: 60, seconds: 3600 }],
        visitor: [{ count: 10, seconds: 3600 }],
      },
    },
  ),

  writeRoute(
    wire.trackEvents,
    async (input, tx) => {
      await track(tx, input.body, someoneIn(input), input.now)
    },
    { limit: { name: 'track', user: TRACKED, visitor: TRACKED }, silent: ['rate_limited'] },
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
  const keys = inThisOrder(shown, visible(view.now))
  const cards = await cardsOf(listed.db, keys, view, null, plannedOnce)
  return { ...links, results: cards.map(({ card }) => card) }
}
