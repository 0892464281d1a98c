import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { pushPayload, subscribePush } from '#schema/wire/push'
import { publish } from '../../live/publish.ts'
import { person, talk, type Answer, type Person } from '../../../tests/server/support/people.ts'
import { endSessions } from '../account/session.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { browserKeys, pushService, type Received } from '../../../tests/server/support/browser.ts'
import { newPair, pushKeys } from '../../webpush/keys.ts'
import { eventPayload, packed } from './payload.ts'

let server: TestServer
let service: Awaited<ReturnType<typeof pushService>>
let now = new Date('2026-11-21T12:00:00Z')
const answers = new Map<string, { status: number; headers?: Record<string, string> }>()
beforeAll(async () => {
  service = await pushService((path) => answers.get(path) ?? { status: 201 })
  server = await testServer([], { PUSH_ALLOW_INSECURE: 'on' }, { clock: () => now })
})
afterAll(async () => {
  server.services.push.close()
  await service.stop()
  await server.close()
})

let ama: Person
let bila: Person
let browsers = 0
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z')
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
})

interface Browser {
  readonly path: string
  readonly endpoint: string
  readonly answer: Answer
  /** The decrypted payloads received so far. */
  got(): ReturnType<ReturnType<typeof browserKeys>['open']>[]
  raw(): Received[]
}

async function browserOf(who: Person, more: object = {}): Promise<Browser> {
  const path = `/push/${(browsers += 1)}`
  const keys = browserKeys()
  const endpoint = service.at(path)
  const answer = await who.post('push-subscriptions/', {
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
    lang: 'fr',
    ...more,
  })
  const raw = () => service.received.filter((one) => one.path === path)
  return { path, endpoint, answer, raw, got: () => raw().map(({ body }) => keys.open(body)) }
}
const database = () => server.services.database
const subscriptions = async (who: Person) =>
  (
    await database()
      .db.selectFrom('push_subscription')
      .select('endpoint')
      .where('user_id', '=', who.id)
      .execute()
  ).map(({ endpoint }) => endpoint)
const tell = (who: Person, title: string) =>
  database().tx(async (tx) =>
    publish(tx, {
      to: who.id,
      by: null,
      at: now,
      fact: {
        event: 'listing.published',
        listing: 'L1',
        title,
        image: '/media/images/8f/320.webp',
      },
    }),
  )
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

describe('[S7.42] [D55] the key', () => {
  test('is an uncompressed point, generated once and stored in DATA_DIR', async () => {
    const { vapid_public_key: key } = (
      await ama.get('push-config/', { Authorization: 'Token wrong' })
    ).body
    expect(key).toMatch(/^B[\w-]{86}$/)
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    const kept: unknown = JSON.parse(
      await readFile(join(server.services.config.dataDir, 'vapid.json'), 'utf8'),
    )
    expect(kept).toMatchObject({ publicKey: key })
    const again = await Promise.all([
      pushKeys(server.services.config),
      pushKeys(server.services.config),
    ])
    expect(again.map((pair) => pair?.publicKey)).toEqual([key, key])
  })

  test('from the settings is used when its halves match', async () => {
    const [one, two] = [newPair(), newPair()]
    const { dataDir } = server.services.config
    expect(await pushKeys({ dataDir, vapid: one })).toEqual(one)
    await expect(
      pushKeys({ dataDir, vapid: { ...one, privateKey: two.privateKey } }),
    ).rejects.toThrow(/^VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be one pair/)
    expect(await pushKeys({ dataDir: join(dataDir, 'vapid.json'), vapid: null })).toBeNull()
  })
})

describe('[S3.19] [S7.43] [S7.44] [API 13.1] subscriptions', () => {
  test('201 when new, 200 when known: keys, owner and language are replaced', async () => {
    const browser = await browserOf(ama)
    expect(browser.answer.status).toBe(201)
    expect(v.is(subscribePush.answer, browser.answer.body)).toBe(true)
    const { p256dh, auth } = browserKeys()
    const again = await bila.post('push-subscriptions/', {
      endpoint: browser.endpoint,
      keys: { p256dh, auth },
      lang: 'en',
    })
    expect([again.status, again.body.id]).toEqual([200, browser.answer.body.id])
    expect([await subscriptions(ama), await subscriptions(bila)]).toEqual([[], [browser.endpoint]])
  })

  test('keys may be base64, the language is French unless it is English', async () => {
    const { p256dh, auth } = browserKeys()
    const padded = (key: string) => Buffer.from(key, 'base64url').toString('base64')
    const browser = await browserOf(ama, {
      p256dh: padded(p256dh),
      auth: padded(auth),
      lang: 'de',
      user_agent: 'x'.repeat(900),
    })
    expect([browser.answer.status, browser.answer.body]).toMatchObject([201, { lang: 'fr' }])
  })

  test.each([
    ['endpoint', 'endpoint_invalid', { endpoint: 'https://10.0.0.1/x' }],
    ['endpoint', 'endpoint_invalid', { endpoint: 'https://no-such-name.invalid/x' }],
    ['endpoint', 'required', { endpoint: null }],
    ['p256dh', 'key_invalid', { p256dh: 'AAAA' }],
    ['p256dh', 'required', { p256dh: null }],
    ['auth', 'key_invalid', { auth: '!!' }],
  ])('%s: %s', async (field, code, more) => {
    const { answer } = await browserOf(ama, more)
    expect([answer.status, answer.body.field_codes]).toEqual([400, { [field]: [{ code }] }])
  })

  test('end by body or query, and nobody ends another user’s', async () => {
    const [one, two] = [await browserOf(ama), await browserOf(ama)]
    expect((await bila.remove('push-subscriptions/', { endpoint: one.endpoint })).status).toBe(204)
    expect(await subscriptions(ama)).toHaveLength(2)
    expect((await ama.remove('push-subscriptions/', { endpoint: one.endpoint })).status).toBe(204)
    expect(
      (await ama.remove(`push-subscriptions/?endpoint=${encodeURIComponent(two.endpoint)}`)).status,
    ).toBe(204)
    expect((await ama.remove('push-subscriptions/', { endpoint: two.endpoint })).status).toBe(204)
    expect(await subscriptions(ama)).toEqual([])
  })

  test('end with their session, and the least recently used of 21 is dropped', async () => {
    const all = []
    for (let n = 0; n < 21; n += 1) {
      later(1000)
      all.push((await browserOf(ama)).endpoint)
    }
    expect((await subscriptions(ama)).toSorted()).toEqual(all.slice(1).toSorted())
    await database().tx((tx) => endSessions(tx, ama.id))
    expect(await subscriptions(ama)).toEqual([])
  })
})

describe('[API 13.2] [API 13.3] sending', () => {
  test('a message reaches its reader once, encrypted for that browser', async () => {
    const browser = await browserOf(bila)
    const { id, listing } = await talk(server, ama, bila)
    await server.job('push')
    await server.job('push')
    const [payload] = browser.got()
    expect(browser.got()).toHaveLength(1)
    expect(v.is(pushPayload, payload)).toBe(true)
    expect(payload).toMatchObject({
      v: 1,
      event: 'message.created',
      title: ama.username,
      body: 'Bonjour',
      tag: `message:${id}`,
      url: `/messages/${id}`,
      conversation_id: id,
      listing_id: listing,
      badge_count: 1,
      image: null,
      meta: { count: 1 },
    })
    const { event_id } = (await bila.get('notifications/')).body.results[0] ?? {}
    expect(payload?.event_id).toBe(event_id)
    const headers = browser.raw()[0]?.headers
    expect(headers).toMatchObject({
      ttl: '259200',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
    })
    expect(headers?.['topic']).toMatch(/^[\w-]{32}$/)
    expect(headers?.authorization).toMatch(/^vapid t=.+, k=B/)
  })

  test('its text is in the browser’s language, its count that of the conversation', async () => {
    const browser = await browserOf(bila, { lang: 'en' })
    const { id } = await talk(server, ama, bila)
    await ama.post(`conversations/${id}/messages/`, { content: 'Encore' })
    await tell(bila, 'Vélo')
    await server.job('push')
    const by = (event: string) => browser.got().filter((one) => one.event === event)
    expect(by('message.created')).toMatchObject([{ meta: { count: 2 } }, { meta: { count: 2 } }])
    expect(by('listing.published')).toMatchObject([
      {
        title: 'Your listing is online',
        body: 'Vélo',
        image: '/media/images/8f/640.jpg',
        severity: 'success',
      },
    ])
  })

  test.each([
    [
      'the conversation is read',
      async () =>
        void (await bila.post(`conversations/${(await talk(server, ama, bila)).id}/mark-read/`)),
    ],
    [
      'the switch is off',
      async () => {
        await bila.post('preferences/notifications/', { messages: { push: false } })
        await talk(server, ama, bila)
      },
    ],
    [
      'its page is in front of the person',
      async () => {
        await database()
          .db.insertInto('live_process')
          .values({ id: `p-${bila.id}`, seen_at: now })
          .execute()
        await database()
          .db.insertInto('live_socket')
          .values({
            id: `s-${bila.id}`,
            process_id: `p-${bila.id}`,
            user_id: bila.id,
            session_id: bila.sessionId,
            visible: true,
            opened_at: now,
          })
          .execute()
        await talk(server, ama, bila)
      },
    ],
  ])('nothing is sent when %s', async (_, arrange) => {
    const browser = await browserOf(bila)
    await arrange()
    await server.job('push')
    expect(browser.raw()).toEqual([])
    expect(
      await database()
        .db.selectFrom('push')
        .select('event_id')
        .where('user_id', '=', bila.id)
        .execute(),
    ).toEqual([])
  })

  test('[API 12.2] with in-app notifications off a push is still sent, without an id', async () => {
    await bila.post('preferences/notifications/', { messages: { in_app: false } })
    const browser = await browserOf(bila)
    await talk(server, ama, bila)
    await server.job('push')
    expect(browser.got()).toMatchObject([{ id: null, event: 'message.created' }])
  })

  test('429 and 5xx are retried after 10 s, 1 min, 10 min, or after Retry-After', async () => {
    const browser = await browserOf(bila)
    answers.set(browser.path, { status: 503 })
    await tell(bila, 'Vélo')
    const tries: number[] = []
    for (const wait of [0, 9000, 1000, 59_000, 1000, 599_000, 1000, 3_600_000]) {
      later(wait)
      await server.job('push')
      tries.push(browser.raw().length)
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
    answers.set(browser.path, { status: 429, headers: { 'retry-after': '120' } })
    await tell(bila, 'Moto')
    await server.job('push')
    later(119_000)
    await server.job('push')
    expect(browser.raw()).toHaveLength(5)
    answers.delete(browser.path)
    later(1000)
    await server.job('push')
    expect(browser.raw()).toHaveLength(6)
    expect(browser.got().at(-1)).toMatchObject({ body: 'Moto' })
  })

  test.each([404, 410])('%i ends the subscription', async (status) => {
    const browser = await browserOf(bila)
    answers.set(browser.path, { status })
    await tell(bila, 'Vélo')
    await server.job('push')
    expect(await subscriptions(bila)).toEqual([])
  })

  test('400, 401, 403, 413 and redirects drop the push; ten failures in a row end the subscription', async () => {
    const browser = await browserOf(bila)
    for (const [n, status] of [400, 401, 403, 413, 302, 400, 400, 400, 400].entries()) {
      answers.set(browser.path, {
        status,
        headers: status === 302 ? { location: service.at('/elsewhere') } : {},
      })
      later(11 * 60_000)
      await tell(bila, `${n}`)
      await server.job('push')
      expect(browser.raw()).toHaveLength(n + 1)
    }
    expect(service.received.some(({ path }) => path === '/elsewhere')).toBe(false)
    answers.delete(browser.path)
    later(11 * 60_000)
    await tell(bila, 'ok')
    await server.job('push')
    answers.set(browser.path, { status: 400 })
    for (let n = 0; n < 10; n += 1) {
      expect(await subscriptions(bila)).toHaveLength(1)
      later(11 * 60_000)
      await tell(bila, `${n}`)
      await server.job('push')
    }
    expect(await subscriptions(bila)).toEqual([])
  })

  test('[API 12.2] quiet hours defer all pushes to one summary at their end, unless read', async () => {
    const [mine, theirs] = [await browserOf(ama), await browserOf(bila)]
    for (const who of [ama, bila])
      await who.post('preferences/notifications/', {
        quiet_hours: { enabled: true, start: '12:00', end: '14:00' },
      })
    for (const who of [ama, bila]) await tell(who, 'Vélo')
    await tell(bila, 'Moto')
    await server.job('push')
    later(60 * 60_000)
    await ama.post('notifications/mark-all-read/')
    await server.job('quiet-summary')
    expect([mine.raw(), theirs.raw()]).toEqual([[], []])
    later(60 * 60_000)
    await server.job('quiet-summary')
    const newest = (await bila.get('notifications/')).body.results[0]?.event_id ?? ''
    expect(theirs.got()).toMatchObject([
      {
        event: null,
        event_id: `${newest}-summary`,
        tag: 'quiet-summary',
        url: '/notifications',
        meta: { count: 2 },
      },
    ])
    expect(theirs.raw()[0]?.headers).toMatchObject({ urgency: 'low', ttl: '86400' })
    expect(mine.raw()).toEqual([])
  })

  test('[D114] more than ten in ten minutes: one for all, ten minutes later', async () => {
    const browser = await browserOf(bila)
    for (let n = 0; n < 13; n += 1) {
      await tell(bila, `${n}`)
      await server.job('push')
    }
    expect(browser.raw()).toHaveLength(10)
    later(10 * 60_000)
    await server.job('push')
    expect(browser.got().slice(10)).toMatchObject([{ body: '12', meta: { count: 3 } }])
  })

  test('a push too old for its time to live is not sent', async () => {
    const browser = await browserOf(bila)
    await tell(bila, 'Vélo')
    later(3 * 86_400_000 + 1000)
    await server.job('push')
    expect(browser.raw()).toEqual([])
  })
})

describe('[S7.45] [S4.07] [API 13.4] the test', () => {
  test('none, sent, gone, failing', async () => {
    expect((await ama.post('push-test/')).body).toMatchObject({
      code: 'no_subscription',
      detail: 'Aucun appareil abonné.',
    })
    const [good, bad] = [await browserOf(ama), await browserOf(ama)]
    answers.set(bad.path, { status: 500 })
    const sent = await ama.post('push-test/')
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { status: 'sent', sent: 1, failed: 1, removed: 0 },
    ])
    expect(good.got()).toMatchObject([{ event: null, tag: 'push-test', url: '/settings' }])
    expect(good.raw()[0]?.headers).toMatchObject({ ttl: '60', urgency: 'high' })
    const failing = await ama.post('push-test/', { endpoint: bad.endpoint })
    expect([failing.status, failing.body.code]).toEqual([502, 'push_service_error'])
    answers.set(bad.path, { status: 410 })
    const gone = await ama.post('push-test/', { endpoint: bad.endpoint })
    expect([gone.status, gone.body]).toMatchObject([409, { code: 'subscription_gone', removed: 1 }])
    expect(await subscriptions(ama)).toEqual([good.endpoint])
  })

  test('ignores preferences and quiet hours', async () => {
    const browser = await browserOf(ama)
    await ama.post('preferences/notifications/', {
      system: { push: false },
      quiet_hours: { enabled: true, start: '00:00', end: '23:59' },
    })
    expect((await ama.post('push-test/')).status).toBe(200)
    expect(browser.raw()).toHaveLength(1)
  })

  test('without a key it is refused', async () => {
    const bare = await testServer([], {}, { push: { ...server.services.push, publicKey: '' } })
    const who = await person(bare)
    expect((await who.post('push-test/')).body).toMatchObject({ code: 'push_not_configured' })
    expect((await who.get('push-config/')).body).toEqual({ vapid_public_key: '' })
    await bare.close()
  })
})

test('[API 13.3] a payload has at most 3,072 bytes: first the text is shortened, then the image removed', () => {
  const logged = (title: string, image: string | null) => ({
    eventId: 'E1',
    notificationId: 'N1',
    ts: '2026-03-01T09:15:04.200Z',
    read: false,
    actor: null,
    fact: { event: 'listing.published' as const, listing: 'L1', title, image },
  })
  const pack = (title: string, image: string | null) =>
    packed(eventPayload(logged(title, image), 'fr', 1, { messages: 0, notifications: 1 }))
  expect(JSON.parse(pack('Vélo', '/media/images/8f/320.webp'))).toMatchObject({
    body: 'Vélo',
    image: '/media/images/8f/640.jpg',
  })
  const long = pack('😀'.repeat(900), '/media/images/8f/320.webp')
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(3072)
  expect(JSON.parse(long)).toMatchObject({ image: '/media/images/8f/640.jpg' })
  const huge = pack('x', `/media/images/${'f'.repeat(3000)}/320.webp`)
  expect(JSON.parse(huge)).toMatchObject({ image: null })
})
