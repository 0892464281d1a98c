import { sql } from 'kysely'
import { expect } from 'vitest'
import { hashOf, newToken } from '../../../server/route/token.ts'
import { newId } from '../../../server/ids.ts'
import type { Services } from '../../../server/route/services.ts'
import type { TestServer } from './server.ts'

export interface Person {
  readonly id: string
  readonly username: string
  readonly token: string
  readonly sessionId: string
  get(path: string | null, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  remove(path: string, body?: unknown): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** The members that tests read, typed as if every response and frame had them all. */
export interface Json {
  readonly id: string
  readonly type: string
  readonly event: string
  readonly event_id: string
  readonly seq: number
  readonly ts: number
  readonly code: string
  readonly client_id: string | null
  readonly detail: string
  readonly title: string
  readonly status: string
  readonly content: string
  readonly endpoint: string
  readonly field_codes: Record<string, { code: string }[]>
  readonly results: Json[]
  readonly next: string | null
  readonly previous: string | null
  readonly cursor: string
  readonly count: number
  readonly read: boolean
  readonly unread_count: number
  readonly unread_total: number
  readonly last_seq: number
  readonly last_event_id: string | null
  readonly peer_read_until: number
  readonly conversation_id: string
  readonly url: string
  readonly base: string
  /** An object for messages. */
  readonly message: string & Json
  readonly last_message: Json
  readonly conversation: Json
  readonly listing: Json
  readonly attachment: Json
  readonly participants: Json[]
  readonly quick_messages: { fr: string; en: string }[]
  readonly system: object
  readonly vapid_public_key: string
  readonly token: string
  readonly user: Json
}

export const aText: unknown = expect.any(String)
export const anInstant: unknown = expect.stringMatching(/^\d{4}-.*Z$/)

export function nth(list: readonly Json[], n: number): Json {
  const found = list[n]
  if (found === undefined) throw new Error(`the list has only ${list.length}`)
  return found
}

export function jsonIn(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- a test only compares the value
  const value: Json = JSON.parse(text)
  return value
}

let people = 0

export async function person(
  { app, services }: Pick<TestServer, 'app' | 'services'>,
  name = 'user',
): Promise<Person> {
  const [id, sessionId, token, now] = [newId(), newId(), newToken(), services.clock()]
  const username = `${name}${(people += 1)}`
  await services.database.tx(async (tx) => {
    await tx
      .insertInto('app_user')
      .values({
        id,
        username,
        username_key: username,
        slug: username,
        email: `${username}@example.com`,
        language: 'fr',
        joined_at: now,
        updated_at: now,
      })
      .execute()
    await tx
      .insertInto('session')
      .values({
        id: sessionId,
        token_hash: hashOf(token),
        user_id: id,
        user_agent: 'test',
        created_at: now,
        last_used_at: now,
      })
      .execute()
  })
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const request: RequestInit = {
      method,
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', ...headers },
    }
    if (body !== undefined) request.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(path.startsWith('/') ? path : `/api/${path}`, request)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: jsonIn(text === '' ? 'null' : text),
    }
  }
  return {
    id,
    username,
    token,
    sessionId,
    get: (path, headers = {}) => ask('GET', path ?? 'no-next-page/', undefined, headers),
    post: (path, body, headers = {}) => ask('POST', path, body, headers),
    remove: (path, body) => ask('DELETE', path, body, {}),
  }
}

/** On sale for 60 days. */
export async function listingOf(
  { services }: { services: Pick<Services, 'database' | 'clock'> },
  seller: { readonly id: string },
  title = 'Toyota Corolla 2012',
): Promise<string> {
  const [id, now] = [newId(), services.clock()]
  await services.database.tx((tx) =>
    tx
      .insertInto('listing')
      .values({
        id,
        seller_id: seller.id,
        category: 'vehicles',
        region: 'kadiogo',
        latitude: 12.37,
        longitude: -1.52,
        title,
        description: 'En bon état',
        price: 3_500_000,
        specs: sql`'{}'::jsonb`,
        review_status: 'approved',
        posted_at: now,
        expires_at: new Date(now.getTime() + 60 * 86_400_000),
        created_at: now,
        updated_at: now,
        search: sql`''::tsvector`,
      })
      .execute(),
  )
  return id
}

/** A conversation that `buyer` started about a new listing of `seller`, with one message. */
export async function talk(
  server: Pick<TestServer, 'services'>,
  buyer: Person,
  seller: Person,
): Promise<{ id: string; listing: string }> {
  const listing = await listingOf(server, seller)
  const { status, body } = await buyer.post('conversations/start/', {
    listing_id: listing,
    content: 'Bonjour',
  })
  if (status !== 201) throw new Error(`the conversation did not begin: ${JSON.stringify(body)}`)
  return { id: body.id, listing }
}
