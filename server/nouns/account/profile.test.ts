import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import * as v from 'valibot'
import { me, sessions, user } from '#schema/wire/account'
import { problem } from '#schema/wire/problem'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'
import { newLink } from './mail-links.ts'
import { sessionsEnded, type EndedSessions } from '../../live/context.ts'
import { hashPassword } from './password.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const edit = (by: Person, json: unknown) => server.call('PATCH', 'auth/me/', { by, json })
const myself = async (by: Person) =>
  v.parse(me.answer, await (await server.call('GET', 'auth/me/', { by })).json())
const codesOf = async (response: Response) =>
  Object.fromEntries(
    Object.entries(v.parse(problem, await response.json()).field_codes ?? {}).map(
      ([name, [first]]) => [name, first?.code],
    ),
  )

async function withPassword(password = 'secret1'): Promise<Person> {
  const person = await server.person()
  await server.services.database.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', person.id)
    .execute()
  return person
}

describe('[S7.11] the profile', () => {
  test('given members are set, absent ones unchanged, null and empty ones cleared', async () => {
    const person = await server.person()
    const set = await edit(person, {
      phone: '70 00 00 00',
      shop_name: ' Chez Awa ',
      bio: 'Pagnes\r\net sacs',
      language: 'en',
    })
    expect(v.parse(user, await set.json())).toMatchObject({
      phone: '+22670000000',
      shop_name: 'Chez Awa',
      bio: 'Pagnes\net sacs',
      language: 'en',
    })
    expect(await myself(person)).toMatchObject({ phone: '+22670000000', bio: 'Pagnes\net sacs' })
    expect(
      v.parse(user, await (await edit(person, { phone: '', bio: null })).json()),
    ).toMatchObject({ phone: null, bio: '', shop_name: 'Chez Awa' })
  })

  test.each([
    [{ phone: 'call me' }, { phone: 'phone_invalid' }],
    [{ shop_name: 'A' }, { shop_name: 'too_short' }],
    [
      { shop_name: 'x'.repeat(61), bio: 'x'.repeat(501) },
      { shop_name: 'too_long', bio: 'too_long' },
    ],
    [{ language: 'mos' }, { language: 'invalid_choice' }],
    [{ language: null }, { language: 'required' }],
    [
      { username: 'other', id: 'x', slug: 'y', followers_count: 9 },
      { username: 'immutable', id: 'immutable', slug: 'immutable', followers_count: 'immutable' },
    ],
    [{ email: 'new@example.com' }, { current_password: 'required' }],
    [
      { email: 'new@example.com', current_password: 'wrong' },
      { current_password: 'password_incorrect' },
    ],
    [{ avatar: '/media/avatars/of-somebody-else/256.webp' }, { avatar: 'invalid' }],
  ])('%j is refused and changes nothing', async (json, codes) => {
    const person = await withPassword()
    const before = await myself(person)
    const response = await edit(person, json)
    expect([response.status, await codesOf(response)]).toEqual([400, codes])
    expect(await myself(person)).toEqual(before)
  })

  test('[S7.10] the whole object sent back is fine', async () => {
    const person = await server.person()
    const mine = await myself(person)
    expect((await edit(person, { ...mine, bio: 'Bonjour' })).status).toBe(200)
    expect((await myself(person)).bio).toBe('Bonjour')
  })

  test('[D65] the first shop name changes the slug, once; the old one still resolves', async () => {
    const person = await server.person('first.name')
    await edit(person, { shop_name: 'Étoile du Sahel' })
    expect((await myself(person)).slug).toBe('etoile-du-sahel')
    await edit(person, { shop_name: 'Another' })
    expect((await myself(person)).slug).toBe('etoile-du-sahel')
    const slugs = await server.services.database.db
      .selectFrom('user_slug')
      .select('slug')
      .where('user_id', '=', person.id)
      .orderBy('slug')
      .execute()
    expect(slugs.map((row) => row.slug)).toEqual(['etoile-du-sahel', 'first-name'])
    const second = await server.person()
    await edit(second, { shop_name: 'Etoile du Sahel' })
    expect((await myself(second)).slug).toBe('etoile-du-sahel-2')
  })

  test('[API 7.4] a new address requires the password, is unverified, and must be free', async () => {
    const person = await withPassword()
    const other = await server.person('holder')
    await server.services.database.db
      .updateTable('app_user')
      .set({ email_verified_at: new Date() })
      .where('id', '=', person.id)
      .execute()
    expect(
      await codesOf(
        await edit(person, { email: 'HOLDER@example.com', current_password: 'secret1' }),
      ),
    ).toEqual({ email: 'email_taken' })
    const done = v.parse(
      user,
      await (
        await edit(person, { email: 'Fresh@example.com', current_password: 'secret1' })
      ).json(),
    )
    expect(done).toMatchObject({ email: 'fresh@example.com', email_verified: false })
    const jobs = await server.services.database.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'mail')
      .execute()
    expect(jobs.map((row) => row.payload)).toEqual(
      expect.arrayContaining([
        { about: 'verify', user: person.id, address: 'fresh@example.com' },
        { about: 'email_changed', user: person.id, address: `${person.username}@example.com` },
      ]),
    )
    expect((await myself(other)).email).toBe('holder@example.com')
  })

  test('[API 7.4] an avatar is cut to a square and served, and removed by an empty member', async () => {
    const person = await server.person()
    const form = new FormData()
    form.set(
      'avatar',
      new Blob([
        new Uint8Array(
          await sharp({ create: { width: 300, height: 200, channels: 3, background: '#8a7d6b' } })
            .jpeg()
            .toBuffer(),
        ),
      ]),
      'me.jpg',
    )
    form.set('bio', 'Avec photo')
    const response = await server.call('PATCH', 'auth/me/', { by: person, form })
    const { avatar, bio } = v.parse(user, await response.json())
    expect(bio).toBe('Avec photo')
    const stored = await server.services.files.get((avatar ?? '').replace('/media/', ''))
    expect(await sharp(stored ?? new Uint8Array()).metadata()).toMatchObject({
      width: 256,
      height: 256,
      format: 'webp',
    })
    expect(v.parse(user, await (await edit(person, { avatar: '' })).json()).avatar).toBeNull()
  })

  test('[API 7.4] an avatar has at least 100 px; a smaller one is refused with that text', async () => {
    const person = await server.person()
    const sent = async (side: number): Promise<Response> => {
      const form = new FormData()
      form.set(
        'avatar',
        new Blob([
          new Uint8Array(
            await sharp({
              create: { width: side, height: side, channels: 3, background: '#8a7d6b' },
            })
              .jpeg()
              .toBuffer(),
          ),
        ]),
        'me.jpg',
      )
      return server.call('PATCH', 'auth/me/', { by: person, form })
    }
    expect((await sent(100)).status).toBe(200)
    const small = v.parse(problem, await (await sent(99)).json())
    expect(small.field_codes).toEqual({
      avatar: [expect.objectContaining({ code: 'image_too_small' })],
    })
    expect(JSON.stringify(small)).toContain('100 x 100')
  })

  test('[API 5.4] the error of a file that is no image names its field', async () => {
    const person = await server.person()
    const form = new FormData()
    form.set('avatar', new Blob(['GIF89a …']), 'me.jpg')
    const response = await server.call('PATCH', 'auth/me/', { by: person, form })
    expect([response.status, await codesOf(response)]).toEqual([
      400,
      { avatar: 'image_type_unsupported' },
    ])
  })
})

describe('[API 7.3] sessions and the password', () => {
  const login = async (person: Person, password: string) =>
    (await server.call('POST', 'auth/login/', { json: { username: person.username, password } }))
      .status
  async function second(person: Person): Promise<Person> {
    const response = await server.call('POST', 'auth/login/', {
      json: { username: person.username, password: 'secret1' },
      headers: { 'User-Agent': 'Phone' },
    })
    return {
      ...person,
      token: v.parse(v.object({ token: v.string() }), await response.json()).token,
    }
  }
  const list = async (by: Person) =>
    v.parse(sessions.answer, await (await server.call('GET', 'auth/sessions/', { by })).json())
      .results

  test('are listed, and ended one by one or all but this one', async () => {
    const person = await withPassword()
    const phone = await second(person)
    const tablet = await second(person)
    const ended: EndedSessions[] = []
    const stop = sessionsEnded.on((one) => ended.push(one))
    const all = await list(phone)
    expect(all.filter((one) => one.current)).toHaveLength(1)
    expect(all.find((one) => one.current)?.user_agent).toBe('Phone')
    const others = all.filter((one) => !one.current).map((one) => one.id)
    expect(
      (await server.call('DELETE', `auth/sessions/${others[0] ?? ''}/`, { by: phone })).status,
    ).toBe(204)
    expect(
      (await server.call('DELETE', `auth/sessions/${others[0] ?? ''}/`, { by: phone })).status,
    ).toBe(204)
    expect(await list(phone)).toHaveLength(2)
    expect((await server.call('DELETE', 'auth/sessions/', { by: phone })).status).toBe(204)
    expect((await list(phone)).map((one) => one.current)).toEqual([true])
    expect(ended).toEqual(others.map((id) => ({ sessions: [id], code: 4401 })))
    expect((await server.call('GET', 'auth/me/', { by: tablet })).status).toBe(401)
    stop()
  })

  test('another user’s session is not ended', async () => {
    const [mine, theirs] = [await server.person(), await server.person()]
    const [session] = await list(theirs)
    expect(
      (await server.call('DELETE', `auth/sessions/${session?.id ?? ''}/`, { by: mine })).status,
    ).toBe(204)
    expect(await list(theirs)).toHaveLength(1)
  })

  test('a new password ends the other sessions and requires the current one', async () => {
    const person = await withPassword()
    const phone = await second(person)
    const { database, clock } = server.services
    const link = await database.tx((tx) =>
      newLink(tx, { user: person.id, purpose: 'reset', email: 'any@example.com' }, clock()),
    )
    const change = (json: unknown, key?: string) =>
      server.call('POST', 'auth/password-change/', {
        by: phone,
        json,
        ...(key !== undefined && { key }),
      })
    expect(
      await codesOf(await change({ current_password: 'wrong', new_password: 'secret2' })),
    ).toEqual({ current_password: 'password_incorrect' })
    expect(
      await codesOf(await change({ current_password: 'secret1', new_password: 'short' })),
    ).toEqual({ new_password: 'password_too_short' })
    expect(
      await codesOf(
        await change({ current_password: 'secret1', new_password: person.username.toUpperCase() }),
      ),
    ).toEqual({ new_password: 'password_too_similar' })
    const key = crypto.randomUUID()
    expect(
      (await change({ current_password: 'secret1', new_password: 'secret2' }, key)).status,
    ).toBe(204)
    const repeat = await change({ current_password: 'secret1', new_password: 'secret2' }, key)
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([204, 'true'])
    // A link requested before the change is no longer valid.
    expect(
      (
        await server.call('POST', 'auth/password-reset/confirm/', {
          json: { uid: person.id, token: link, new_password: 'secret3' },
        })
      ).status,
    ).toBe(400)
    expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(401)
    expect((await server.call('GET', 'auth/me/', { by: phone })).status).toBe(200)
    expect([await login(person, 'secret1'), await login(person, 'secret2')]).toEqual([400, 200])
  })
})
