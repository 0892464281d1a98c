import * as wire from '#schema/wire/listing'
import { PAGE_SIZE, PAGE_SIZE_MAX, SIMILAR_SIZE, SUGGESTIONS } from '#schema/limits'
import {
  SUGGEST,
  linkTo,
  pageOf,
  readRoute,
  refuse,
  writeRoute,
  type Exchange,
  type LimitRow,
  type Route,
} from '../../../route/index.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import { cardsOf, type View } from '../card.ts'
import { contact } from './contact.ts'
import { readDetail, type Viewer } from './detail.ts'
import { readFacets } from '../search/facets.ts'
import { visible } from '../search/where.ts'
import { countViews, knownViewer, sessionOf, type Someone } from './interest.ts'
import { listListings } from './list.ts'
import { plainQuery } from '../search/query.ts'
import { recommended } from './recommend.ts'
import { noteSearch } from '../search/searched.ts'
import { similarTo } from './similar.ts'
import { track } from './track.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

type Asking = Pick<
  Exchange,
  'caller' | 'now' | 'language' | 'services' | 'visitorSession' | 'address' | 'userAgent'
>

export const viewOf = ({
  caller,
  now,
  language,
}: Pick<Asking, 'caller' | 'now' | 'language'>): View => ({ me: caller?.id ?? null, now, language })
export const viewerIn = (
  asking: Pick<Asking, 'caller' | 'now' | 'language' | 'services'>,
): Viewer => ({
  ...viewOf(asking),
  isModerator: asking.caller?.isModerator ?? false,
  publicUrl: asking.services.publicUrl,
})
const someoneIn = (
  { caller, address, userAgent, visitorSession }: Asking,
  session?: string | null,
): Someone => ({
  caller,
  address,
  userAgent,
  session: sessionOf(session, visitorSession),
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

const browse = readRoute(wire.browseListings, async (input) => {
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
})

const facets = readRoute(wire.readFacets, (input) =>
  readFacets(input.db, plainQuery(input.query), viewOf(input)),
)

const detail = readRoute(wire.readListing, (input) =>
  readDetail(input.db, input.params.id, viewerIn(input)),
)

const withView = readRoute(wire.viewListing, async (input) => {
  const { db, params, query, now } = input
  if (!input.head) await countViews(db, [params.id], someoneIn(input, query.session_id), now, now)
  return readDetail(db, params.id, viewerIn(input))
})

const similar = readRoute(wire.similarListings, async (input) => {
  const { db, params, query } = input
  const ids = await similarTo(db, params.id, viewOf(input))
  return rankedPage(
    db,
    ids,
    `listings/${params.id}/similar/`,
    query,
    pageOf(query, SIMILAR_SIZE, PAGE_SIZE),
    viewOf(input),
  )
})

const ALIASES = { new_from_followed: 'followed', popular: 'trending' } as const

const recommend = readRoute(wire.recommendListings, async (input) => {
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
  return {
    type,
    ...(await rankedPage(
      db,
      ids,
      'recommendations/',
      query,
      pageOf(query, PAGE_SIZE, PAGE_SIZE_MAX),
      viewOf(input),
    )),
  }
})

async function rankedPage(
  db: Db,
  ids: readonly string[],
  path: string,
  query: Record<string, unknown>,
  page: ReturnType<typeof pageOf>,
  view: View,
) {
  if (page.number > 1 && page.offset >= ids.length) throw refuse('invalid_page')
  const shown = ids.slice(page.offset, page.offset + page.size)
  const keys = sql`select l.id from unnest(${shown}::text[]) with ordinality as wanted(id, n)
    join listing l on l.id = wanted.id where ${visible(view.now)} order by wanted.n`
  const link = (number: number) => linkTo(path, { ...query, page: number })
  return {
    next: page.offset + page.size < ids.length ? link(page.number + 1) : null,
    previous: page.number > 1 ? link(page.number - 1) : null,
    results: (await cardsOf(db, keys, view, null, plannedOnce)).map(({ card }) => card),
  }
}

const contacted = writeRoute(
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
)

const tracked = writeRoute(
  wire.trackEvents,
  async (input, tx) => {
    await track(tx, input.body, someoneIn(input), input.now)
  },
  { limit: TRACK, silent: ['rate_limited'] },
)

export const listingReads: readonly Route[] = [
  browse,
  facets,
  detail,
  withView,
  similar,
  recommend,
  contacted,
  tracked,
]
