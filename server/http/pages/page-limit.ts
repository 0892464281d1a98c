import type { Context } from 'hono'
import {
  type Services,
  networkOf,
  countName,
  countRow,
  TOWN,
  type LimitRow,
  type Window,
  Refusal,
} from '../../route/index.ts'
import { connectionOf, type Bindings } from '../api/mount.ts'
import { visitorOf } from '../api/serve.ts'

/** Seconds to wait; null: the page may be rendered. */
export type PageLimit = (page: Context<{ Bindings: Bindings }>) => Promise<number | null>

/** [A2] With a session id, the limit of all calls. */
const PAGES: LimitRow = { name: 'pages', visitor: [{ count: 300, seconds: 60 }], wide: TOWN }
/** Browsers send no session id, and a town has many of one kind: together 40 pages a second. */
const ALIKE: readonly Window[] = [{ count: 400, seconds: 10 }]
const CROWD: LimitRow = { name: 'pages', network: [{ count: 300 * TOWN, seconds: 60 }] }

export function pageLimit(services: Services): PageLimit {
  const { clock } = services
  return async (page) => {
    const request = page.req.raw
    const visitor = visitorOf({ services, request, connection: connectionOf(page) })
    const kind = [
      networkOf(visitor.address),
      request.headers.get('user-agent'),
      request.headers.get('accept-language'),
    ].join('\n')
    try {
      if (visitor.visitorSession !== null) await countRow(services, PAGES, visitor, clock())
      else {
        await countName(services, 'pages-alike', kind, ALIKE, clock())
        await countRow(services, CROWD, visitor, clock())
      }
      return null
    } catch (error) {
      if (error instanceof Refusal && error.status === 429)
        return Number(error.headers['Retry-After'] ?? 1)
      throw error
    }
  }
}
