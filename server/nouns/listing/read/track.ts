import { isMembers } from '#schema/members'
import type { Db } from '../../../db/tables.ts'
import { countViews, sessionOf, type Someone } from './interest.ts'

const BATCH_MAX = 50
const WEEK_MS = 7 * 86_400_000

interface Seen {
  readonly listing: string
  readonly session: string | null
  readonly at: Date
}

/** [API 15]: views recorded by a client, maybe days ago. Other or malformed events are ignored. */
export async function track(db: Db, body: unknown, someone: Someone, now: Date): Promise<void> {
  const seen = viewsIn(body, now)
  // [A7] One request is one client: only its first session counts, so it cannot multiply its views.
  const visitorSession = sessionOf(
    seen.find((one) => one.session !== null)?.session,
    someone.visitorSession,
  )
  for (const [, group] of Map.groupBy(seen, ({ at }) => at.toISOString().slice(0, 10))) {
    const [first] = group
    if (first === undefined) continue
    await countViews(
      db,
      group.map(({ listing }) => listing),
      { ...someone, visitorSession },
      first.at,
      now,
    )
  }
}

function viewsIn(body: unknown, now: Date): Seen[] {
  const events =
    isMembers(body) && Array.isArray(body['events']) ? body['events'].slice(0, BATCH_MAX) : [body]
  return events.filter(isMembers).flatMap((event) => {
    const { event_type: type, listing_id: listing, session_id: session, ts } = event
    if (
      type !== 'listing_view' ||
      typeof listing !== 'string' ||
      !/^[A-Za-z0-9_-]{1,64}$/.test(listing)
    )
      return []
    return [
      {
        listing,
        session: typeof session === 'string' ? sessionOf(session, null) : null,
        at: momentOf(ts, now),
      },
    ]
  })
}

function momentOf(ts: unknown, now: Date): Date {
  const at = typeof ts === 'string' || typeof ts === 'number' ? new Date(ts) : now
  const age = now.getTime() - at.getTime()
  return age >= 0 && age <= WEEK_MS ? at : now
}
