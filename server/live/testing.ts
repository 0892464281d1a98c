import { sql } from 'kysely'
import { hashOf, newToken } from '../http/caller.ts'
import { newId } from '../ids.ts'
import type { TestServer } from '../testing.ts'

/** A signed-in person of a test, who calls the API. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly token: string
  readonly sessionId: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  remove(path: string, body?: unknown): Promise<Answer>
}

/** `body` is left open: a test compares it, it does not rely on it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes is what is tested
  readonly body: any
}

let people = 0

export async function person({ app, services }: Pick<TestServer, 'app' | 'services'>, name = 'user'): Promise<Person> {
  const [id, sessionId, token, now] = [newId(), newId(), newToken(), services.clock()]
  const username = `${name}${(people += 1)}`
  await services.database.tx(async (tx) => {
    await tx
      .insertInto('app_user')
      .values({ id, username, username_key: username, slug: username, email: `${username}@example.com`, language: 'fr', joined_at: now, updated_at: now })
      .execute()
    await tx.insertInto('session').values({ id: sessionId, token_hash: hashOf(token), user_id: id, user_agent: 'test', created_at: now, last_used_at: now }).execute()
  })
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
    const request: RequestInit = { method, headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', ...headers } }
    if (body !== undefined) request.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(path.startsWith('/') ? path : `/api/${path}`, request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    id,
    username,
    token,
    sessionId,
    get: (path, headers = {}) => ask('GET', path, undefined, headers),
    post: (path, body, headers = {}) => ask('POST', path, body, headers),
    remove: (path, body) => ask('DELETE', path, body, {}),
  }
}

/** An approved listing of `seller`, on sale for 60 days. */
export async function listingOf({ services }: Pick<TestServer, 'services'>, seller: Person, title = 'Toyota Corolla 2012'): Promise<string> {
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

/** A conversation that `buyer` began about a new listing of `seller`, with one message. */
export async function talk(server: Pick<TestServer, 'services'>, buyer: Person, seller: Person): Promise<{ id: string; listing: string }> {
  const listing = await listingOf(server, seller)
  const { status, body } = await buyer.post('conversations/start/', { listing_id: listing, content: 'Bonjour' })
  if (status !== 201) throw new Error(`the conversation did not begin: ${JSON.stringify(body)}`)
  return { id: body.id, listing }
}
