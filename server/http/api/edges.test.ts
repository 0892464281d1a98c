import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { JSON_BYTES } from '#schema/limits'
import { listingDetail } from '#schema/wire/listing'
import { message } from '#schema/wire/message'
import { problem } from '#schema/wire/problem'
import { hashPassword } from '../../nouns/account/password.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { browserKeys } from '../../../tests/server/support/browser.ts'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'

/** Node needs it for a body that is a stream; the types of browsers do not know it. */
const STREAMED = { duplex: 'half' }

let server: TestServer
let seller: Person
let buyer: Person
let now: () => Date = () => new Date()
beforeAll(async () => {
  server = await testServer([], { PUSH_ALLOW_INSECURE: 'on' }, { clock: () => now() })
  seller = await server.person()
  buyer = await server.person()
})
afterAll(() => server.close())

const listing = {
  title: 'Toyota Corolla 2012',
  description: 'Bon état',
  category: 'vehicles',
  price: 3_500_000,
  region: 'kadiogo',
}

async function codes(
  answer: Response,
): Promise<{ status: number; code: string; fields: Record<string, string> }> {
  const { code, field_codes: fields = {} } = v.parse(problem, await answer.json())
  return {
    status: answer.status,
    code,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, list]) => [name, list.map((one) => one.code).join()]),
    ),
  }
}

describe('[API 1.2] JSON above 256 KB where a form with photos may have more', () => {
  /** Counts how many bytes were pulled. */
  function large(bytes: number) {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 64 * 1024
          if (pulled > bytes) controller.close()
          else controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
        },
      },
      { highWaterMark: 0 },
    )
    return { body, pulled: () => pulled }
  }
  const send = (
    path: string,
    method: string,
    body: ReadableStream,
    headers: Record<string, string>,
  ) =>
    server.app.request(
      new Request(`http://yaar.test/api/${path}`, {
        method,
        body,
        ...STREAMED,
        headers: {
          Authorization: `Token ${seller.token}`,
          'Content-Type': 'application/json',
          ...headers,
        },
      }),
    )

  test.each([
    ['POST', 'listings/'],
    ['PATCH', `listings/${randomUUID()}/`],
    ['PATCH', 'auth/me/'],
    ['POST', `conversations/${randomUUID()}/messages/`],
  ])(
    '%s %s: refused before it is read, and at the first byte too many without a length',
    async (method, path) => {
      const upload = large(16 * 1024 * 1024)
      expect(
        await codes(
          await send(path, method, upload.body, { 'Content-Length': `${16 * 1024 * 1024}` }),
        ),
      ).toMatchObject({ status: 413, code: 'payload_too_large' })
      expect(upload.pulled()).toBe(0)
      const untold = large(16 * 1024 * 1024)
      expect(await codes(await send(path, method, untold.body, {}))).toMatchObject({
        status: 413,
        code: 'payload_too_large',
      })
      expect(untold.pulled()).toBeLessThanOrEqual(JSON_BYTES + 2 * 64 * 1024)
    },
  )
})

test.each([
  ['PATCH', '', 'removed_image_ids'],
  ['PATCH', '', 'uploaded_image_ids'],
  ['PATCH', 'reorder-images/', 'image_ids'],
])(
  '[API 1.1] %s listings/{id}/%s: a text where the list %s belongs is 400',
  async (method, path, name) => {
    const id = await addListing(server.services.database.db, seller.id)
    for (const value of ['some-id', 7, { a: 1 }, true]) {
      expect(
        await codes(
          await server.call(method, `listings/${id}/${path}`, {
            by: seller,
            json: { [name]: value },
          }),
        ),
      ).toEqual({ status: 400, code: 'validation_error', fields: { [name]: 'invalid' } })
    }
  },
)

test('[API 2] DELETE auth/me/ refuses a malformed key, and accepts a valid one', async () => {
  const person = await server.person()
  await server.services.database.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword('secret1') })
    .where('id', '=', person.id)
    .execute()
  const leave = (key: string) =>
    server.call('DELETE', 'auth/me/', { by: person, key, json: { current_password: 'secret1' } })
  for (const key of ['short', 'x'.repeat(256), 'with a space', 'accentué-clé'])
    expect(
      await codes(await leave(encodeURI(key) === key ? key : encodeURI(key).slice(0, 4))),
    ).toMatchObject({ status: 400, code: 'idempotency_key_invalid' })
  const key = randomUUID()
  expect((await leave(key)).status).toBe(204)
  expect((await leave(key)).status).toBe(401)
  const left = await server.services.database.db
    .selectFrom('idempotency')
    .select(['body', 'location'])
    .where('scope', '=', person.id)
    .execute()
  expect(left).toEqual([{ body: null, location: null }])
})

test('[API 4.8] created_at is never decreasing in seq, in whatever order parallel sends arrive', async () => {
  const id = await addListing(server.services.database.db, seller.id)
  const started = await server.call('POST', 'conversations/start/', {
    by: buyer,
    json: { listing_id: id, content: 'Bonjour' },
  })
  const conversation = v.parse(v.object({ id: v.string() }), await started.json()).id
  const start = Date.now() + 60_000
  // each request gets an earlier time than the one sent before it
  let n = 0
  now = () => new Date(start - (n += 1) * 10)
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      server.call('POST', `conversations/${conversation}/messages/`, {
        by: buyer,
        json: { content: `${at}` },
      }),
    ),
  )
  now = () => new Date()
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201))
  const answered = await Promise.all(sent.map(async (one) => v.parse(message, await one.json())))
  const page = v.parse(
    v.object({ results: v.array(message) }),
    await (
      await server.call('GET', `conversations/${conversation}/messages/?after=0&page_size=50`, {
        by: buyer,
      })
    ).json(),
  )
  const times = page.results.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
  for (const one of answered)
    expect(page.results.find(({ id: other }) => other === one.id)?.created_at).toBe(one.created_at)
})

describe('[API 13.1] a push key', () => {
  const { p256dh, auth } = browserKeys()
  const offer = (key: string) =>
    server.call('POST', 'push-subscriptions/', {
      by: buyer,
      json: { endpoint: 'http://127.0.0.1:1/push', p256dh: key, auth },
    })

  test('that is no point on P-256 is key_invalid', async () => {
    const point = Buffer.from(p256dh, 'base64url')
    const off = Buffer.from(point)
    off[64] = (off[64] ?? 0) ^ 1
    const compressed = Buffer.concat([Buffer.from([2]), point.subarray(1)])
    for (const bytes of [off, Buffer.alloc(65, 4), Buffer.alloc(65), compressed]) {
      expect(await codes(await offer(bytes.toString('base64url')))).toEqual({
        status: 400,
        code: 'validation_error',
        fields: { p256dh: 'key_invalid' },
      })
    }
    expect((await offer(p256dh)).status).toBe(201)
  })
})

describe('[A6] signs without a shape', () => {
  const blank = '\u200b\u200d\u2060\ufeff\u00ad\u3164'

  test('alone are an empty title, description, message and comment', async () => {
    const make = (json: object) =>
      server.call('POST', 'listings/', { by: seller, json: { ...listing, ...json } })
    expect((await codes(await make({ title: blank }))).fields).toEqual({ title: 'required' })
    expect((await codes(await make({ description: blank }))).fields).toEqual({
      description: 'blank',
    })
    const id = await addListing(server.services.database.db, seller.id)
    const begin = (content: string) =>
      server.call('POST', 'conversations/start/', { by: buyer, json: { listing_id: id, content } })
    expect((await codes(await begin(blank))).fields).toEqual({ content: 'message_empty' })
    const conversation = v.parse(
      v.object({ id: v.string() }),
      await (await begin('Bonjour')).json(),
    ).id
    const answer = await server.call('POST', `conversations/${conversation}/messages/`, {
      by: buyer,
      json: { content: blank },
    })
    expect((await codes(answer)).fields).toEqual({ content: 'message_empty' })
  })

  test('inside emoji and words stay as they are', async () => {
    const title = 'Famille 👨‍👩‍👧‍👦 می‌خواهم 🏳️‍🌈'
    const made = v.parse(
      listingDetail,
      await (
        await server.call('POST', 'listings/', { by: seller, json: { ...listing, title } })
      ).json(),
    )
    expect(made.title).toBe(title)
  })
})

test('[A7] one call counts one view of a listing, however many sessions its events name', async () => {
  const id = await addListing(server.services.database.db, seller.id)
  const events = Array.from({ length: 50 }, (_, n) => ({
    event_type: 'listing_view',
    listing_id: id,
    session_id: `session-${n}`,
  }))
  expect((await server.call('POST', 'events/track/', { json: { events } })).status).toBe(204)
  const tally = await server.services.database.db
    .selectFrom('listing_tally')
    .select('views_total')
    .where('listing_id', '=', id)
    .executeTakeFirst()
  expect(tally?.views_total).toBe(1)
})
