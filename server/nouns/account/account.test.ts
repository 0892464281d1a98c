import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { login, me, register } from '#schema/wire/account'
import { problem } from '#schema/wire/problem'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const newcomer = (username: string, more: object = {}) => ({
  username,
  email: `${username}@Example.com`,
  password: 'secret1',
  ...more,
})
const join = (json: unknown, key?: string) =>
  server.call('POST', 'auth/register/', { json, ...(key !== undefined && { key }) })
const enter = (json: unknown) => server.call('POST', 'auth/login/', { json })
const codesOf = async (response: Response) => v.parse(problem, await response.json()).field_codes
const signedIn = async (response: Response) => v.parse(register.answer, await response.json())

describe('[S7.08] register', () => {
  test('creates a signed-in account with the defaults of [API 4.3]', async () => {
    const response = await join(newcomer('seller.2', { language: 'en' }))
    expect(response.status).toBe(201)
    const { token, user } = await signedIn(response)
    expect(user).toMatchObject({
      username: 'seller.2',
      email: 'seller.2@example.com',
      slug: 'seller-2',
      email_verified: false,
      language: 'en',
      bio: '',
      shop_name: null,
    })
    const mine = await server.call('GET', 'auth/me/', { by: { ...user, token } })
    expect(v.parse(me.answer, await mine.json()).id).toBe(user.id)
    expect(mine.headers.get('Cache-Control')).toBe('private, no-cache')
  })

  test.each([
    [{}, { username: 'required', email: 'required', password: 'required' }],
    [
      { username: 'ab', email: 'no', password: '12345' },
      { username: 'invalid', email: 'invalid', password: 'password_too_short' },
    ],
    [
      { username: 'a@b.c', email: 'a@@b', password: 'x'.repeat(129) },
      { username: 'invalid', email: 'invalid', password: 'too_long' },
    ],
    [
      { username: 7, email: null, password: '' },
      { username: 'invalid', email: 'required', password: 'required' },
    ],
    [
      { username: 'Same.Name', email: 'same@example.com', password: 'same.name' },
      { password: 'password_too_similar' },
    ],
  ])('%j is refused field by field', async (json, codes) => {
    const response = await join(json)
    expect(response.status).toBe(400)
    const found = await codesOf(response)
    expect(
      Object.fromEntries(Object.entries(found ?? {}).map(([name, [first]]) => [name, first?.code])),
    ).toEqual(codes)
  })

  test.each([
    'a<victim@example.com>',
    'x,victim@example.com',
    'x:victim@example.com',
    '<victim@example.com>',
    'victim@example.com(c)',
    'group:victim@example.com;',
    '"a b"@example.com',
    'a\\b@example.com',
  ])('an address that a mail program reads as another is none: %s', async (email) =>
    expect((await codesOf(await join({ ...newcomer('specials'), email })))?.['email']).toEqual([
      { code: 'invalid' },
    ]),
  )

  test('a taken name or address is reported, ignoring case', async () => {
    await join(newcomer('Taken'))
    expect(await codesOf(await join(newcomer('tAKEN')))).toEqual({
      username: [{ code: 'username_taken' }],
      email: [{ code: 'email_taken' }],
    })
  })

  test('[API 4.2] nobody registers under the name of deleted accounts', async () => {
    expect(await codesOf(await join(newcomer('Compte-Supprime')))).toEqual({
      username: [{ code: 'username_taken' }],
    })
  })

  test('two concurrent registrations with one name create one account', async () => {
    const responses = await Promise.all([
      join(newcomer('twin')),
      join({ ...newcomer('twin'), email: 'other-twin@example.com' }),
    ])
    expect(responses.map((response) => response.status).toSorted()).toEqual([201, 400])
  })

  test('similar usernames get different slugs, never one that looks like an id or is “me”', async () => {
    expect((await signedIn(await join({ ...newcomer('m.e'), username: 'Me.' }))).user.slug).toBe(
      'me-2',
    )
    const first = await signedIn(await join(newcomer('a.b.c')))
    const second = await signedIn(await join(newcomer('a-b-c')))
    expect([first.user.slug, second.user.slug]).toEqual(['a-b-c', 'a-b-c-2'])
    const together = await Promise.all(
      ['x.y.z', 'x-y-z', 'x_y_z', 'x.y_z', 'X-Y.Z'].map(async (name) =>
        signedIn(await join(newcomer(name))),
      ),
    )
    expect(together.map(({ user }) => user.slug).toSorted()).toEqual([
      'x-y-z',
      'x-y-z-2',
      'x-y-z-3',
      'x-y-z-4',
      'x-y-z-5',
    ])
  })

  test('[API 2] a repeat finds the account and gets a new token, which is not stored', async () => {
    const key = crypto.randomUUID()
    const first = await signedIn(await join(newcomer('repeat'), key))
    const response = await join(newcomer('repeat'), key)
    expect([response.status, response.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    const again = await signedIn(response)
    expect(again.user.id).toBe(first.user.id)
    expect(again.token).not.toBe(first.token)
    expect((await join(newcomer('repeat', { password: 'another' }), key)).status).toBe(422)
    const rows = await server.services.database.db
      .selectFrom('idempotency')
      .selectAll()
      .where('key', '=', key)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(first.token)
    // A user banned meanwhile gets no session that would outlive the ban.
    await server.services.database.db
      .updateTable('app_user')
      .set({ suspended_at: new Date() })
      .where('id', '=', first.user.id)
      .execute()
    expect((await join(newcomer('repeat'), key)).status).toBe(403)
  })
})

describe('[S7.09] login', () => {
  beforeAll(() => join(newcomer('Awa')))

  test.each([
    [{ username: 'AWA' }],
    [{ username: 'awa@example.COM' }],
    [{ email: 'awa@example.com' }],
    [{ username: ' Awa ' }],
  ])('%j names the account', async (name) => {
    const response = await enter({ ...name, password: 'secret1' })
    expect(response.status).toBe(200)
    expect(v.parse(login.answer, await response.json()).user.username).toBe('Awa')
  })

  test('[D05] unknown account and wrong password have the same response, 400', async () => {
    const wrong = await enter({ username: 'awa', password: 'secret2' })
    const unknown = await enter({ username: 'nobody', password: 'secret1' })
    const [a, b] = await Promise.all(
      [wrong, unknown].map(async (response) => v.parse(problem, await response.json())),
    )
    expect([wrong.status, unknown.status]).toEqual([400, 400])
    expect({ ...a, request_id: '' }).toEqual({ ...b, request_id: '' })
    expect(a).toMatchObject({
      code: 'invalid_credentials',
      detail: 'Échec de la connexion. Vérifiez vos identifiants.',
      non_field_errors: ['Échec de la connexion. Vérifiez vos identifiants.'],
    })
  })

  test('a password is taken as it was typed', async () => {
    await join(newcomer('spaces', { password: ' secret ' }))
    expect((await enter({ username: 'spaces', password: 'secret' })).status).toBe(400)
    expect((await enter({ username: 'spaces', password: ' secret ' })).status).toBe(200)
  })

  test('[API 1.1] composed and decomposed letters of a password are equal', async () => {
    await join(newcomer('accents', { password: 'été à Pô'.normalize('NFD') }))
    for (const form of ['NFC', 'NFD'])
      expect(
        (await enter({ username: 'accents', password: 'été à Pô'.normalize(form) })).status,
      ).toBe(200)
  })

  test('what is missing is required', async () => {
    expect(await codesOf(await enter({ password: 'secret1' }))).toEqual({
      username: [{ code: 'required' }],
    })
    expect(await codesOf(await enter({ username: 'awa' }))).toEqual({
      password: [{ code: 'required' }],
    })
    expect(await codesOf(await enter({}))).toEqual({
      username: [{ code: 'required' }],
      password: [{ code: 'required' }],
    })
    expect(await codesOf(await enter({ username: '', email: null, password: '' }))).toEqual({
      username: [{ code: 'required' }],
      password: [{ code: 'required' }],
    })
  })

  test('[D84] a suspension is reported only with the correct password', async () => {
    const { user } = await signedIn(await join(newcomer('banned')))
    await server.services.database.db
      .updateTable('app_user')
      .set({ suspended_at: new Date() })
      .where('id', '=', user.id)
      .execute()
    expect((await enter({ username: 'banned', password: 'wrong-one' })).status).toBe(400)
    expect((await enter({ username: 'banned', password: 'secret1' })).status).toBe(403)
  })

  test('[API 1.6] the eleventh attempt at a name within 15 minutes is limited, other names are not', async () => {
    const strict = await testServer([], { RATE_LIMITS: 'on' })
    const attempt = (username: string) =>
      strict.call('POST', 'auth/login/', { json: { username, password: 'secret1' } })
    for (let n = 0; n < 10; n += 1) expect((await attempt('Someone')).status).toBe(400)
    const late = await attempt('someone')
    expect([late.status, Number(late.headers.get('Retry-After')) > 800]).toEqual([429, true])
    expect((await attempt('another')).status).toBe(400)
    await strict.close()
  })
})

describe('[API 7.3] tokens', () => {
  test('logout ends the session; its token is 401 afterwards, logout included', async () => {
    const person = await server.person()
    expect((await server.call('POST', 'auth/logout/', { by: person })).status).toBe(204)
    const again = await server.call('POST', 'auth/logout/', { by: person })
    expect([again.status, v.parse(problem, await again.json()).code]).toEqual([
      401,
      'token_invalid',
    ])
    expect((await server.call('GET', 'auth/me/')).status).toBe(401)
  })

  test('a token expires 180 days after its last use', async () => {
    const person = await server.person()
    const days = (n: number) => new Date(Date.now() - n * 24 * 3_600_000)
    const lastUsed = (date: Date) =>
      server.services.database.db
        .updateTable('session')
        .set({ last_used_at: date })
        .where('user_id', '=', person.id)
        .execute()
    await lastUsed(days(179))
    expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(200)
    await lastUsed(days(181))
    expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(401)
  })
})
