import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { me, register } from '#schema/wire/account'
import { problem } from '#schema/wire/problem'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())

const HOUR = 3_600_000
/** Advances the server's clock past every cooldown. */
const later = (ms: number) => {
  offset += ms
}

const folder = () => join(server.services.config.dataDir, 'mail')
/** Newest first, after the queue is empty. */
async function mailsTo(address: string): Promise<string[]> {
  await server.job('mail')
  const names = await readdir(folder()).catch(() => [])
  const all = await Promise.all(
    names
      .toSorted()
      .toReversed()
      .map((name) => readFile(join(folder(), name), 'utf8')),
  )
  return all.filter((text) => text.includes(`To: <${address}>`))
}
const linkIn = (mail: string | undefined) => {
  const line = mail?.split('\r\n').find((text) => text.startsWith('http'))
  const url = new URL(line ?? 'http://none')
  return {
    path: url.pathname,
    uid: url.searchParams.get('uid') ?? '',
    token: url.searchParams.get('token') ?? '',
  }
}

async function newcomer(username: string): Promise<Person & { address: string }> {
  const address = `${username}@example.com`
  const response = await server.call('POST', 'auth/register/', {
    json: { username, email: address, password: 'secret1' },
  })
  const { token, user } = v.parse(register.answer, await response.json())
  return { id: user.id, username, token, address }
}
const verify = (json: unknown) => server.call('POST', 'auth/email/verify/', { json })
const ask = (by: Person) => server.call('POST', 'auth/email/verify-request/', { by })
/** One ms later: files of mails sort by time, and the newest is read. */
const reset = (json: unknown) => {
  later(1)
  return server.call('POST', 'auth/password-reset/', { json })
}
const confirm = (json: unknown, key?: string) =>
  server.call('POST', 'auth/password-reset/confirm/', { json, ...(key !== undefined && { key }) })
const login = (username: string, password: string) =>
  server.call('POST', 'auth/login/', { json: { username, password } })
const codeOf = async (response: Response) => v.parse(problem, await response.json()).code
const myself = async (by: Person) =>
  v.parse(me.answer, await (await server.call('GET', 'auth/me/', { by })).json())

describe('[S2.35] proving an e-mail', () => {
  test('the registration link verifies once, then answers already_verified', async () => {
    const person = await newcomer('fatou')
    const [mail] = await mailsTo(person.address)
    const { path, uid, token } = linkIn(mail)
    expect([path, uid]).toEqual(['/verify-email', person.id])
    expect(await (await verify({ uid, token })).json()).toEqual({ status: 'verified' })
    expect(await (await verify({ uid, token })).json()).toEqual({ status: 'already_verified' })
    expect((await myself(person)).email_verified).toBe(true)
    expect(await (await ask(person)).json()).toMatchObject({
      status: 'already_verified',
      cooldown_seconds: 0,
    })
  })

  test('missing parts, another user’s uid, a wrong and an expired token are refused with their codes', async () => {
    const person = await newcomer('ali')
    const other = await newcomer('other.ali')
    const { uid, token } = linkIn((await mailsTo(person.address))[0])
    expect(await codeOf(await verify({ uid }))).toBe('verification_params_missing')
    expect(await codeOf(await verify({}))).toBe('verification_params_missing')
    expect(await codeOf(await verify({ uid: other.id, token }))).toBe('verification_link_invalid')
    expect(await codeOf(await verify({ uid, token: `${token}x` }))).toBe(
      'verification_link_invalid',
    )
    later(49 * HOUR)
    expect(await codeOf(await verify({ uid, token }))).toBe('verification_link_invalid')
  })

  test('[S7.14] [API 7.5] the first request starts a cooldown of 60 s; a newer link ends the older', async () => {
    const person = await newcomer('binta')
    const first = linkIn((await mailsTo(person.address))[0])
    expect(await (await ask(person)).json()).toEqual({
      status: 'sent',
      detail: 'E-mail de vérification envoyé.',
      cooldown_seconds: 60,
    })
    const early = await ask(person)
    expect([
      early.status,
      Number(early.headers.get('Retry-After')) > 50,
      await codeOf(early),
    ]).toEqual([429, true, 'cooldown'])
    const viaEdit = await server.call('PATCH', 'auth/me/', {
      by: person,
      json: { action: 'request_email_verification', bio: 'ignored' },
    })
    expect(viaEdit.status).toBe(429)
    const newest = linkIn((await mailsTo(person.address))[0])
    expect(newest.token).not.toBe(first.token)
    expect(await codeOf(await verify(first))).toBe('verification_link_invalid')
    expect((await verify(newest)).status).toBe(200)
    expect((await myself(person)).bio).toBe('')
  })

  test('[S7.14] [API 7.4] PATCH with the action requests the mail too', async () => {
    const person = await newcomer('chantal')
    const answer = await server.call('PATCH', 'auth/me/', {
      by: person,
      json: { action: 'request_email_verification' },
      headers: { 'Accept-Language': 'en' },
    })
    expect(await answer.json()).toMatchObject({
      status: 'sent',
      detail: 'Verification email sent.',
    })
    expect(
      (await server.call('PATCH', 'auth/me/', { by: person, json: { action: 'other' } })).status,
    ).toBe(400)
  })

  test('[API 7.4] members beside the action are ignored, even invalid ones; otherwise they are checked', async () => {
    const person = await newcomer('djeneba')
    const rest = { phone: 'none', shop_name: 'x', language: 'de', email: 5 }
    const edit = (json: object) => server.call('PATCH', 'auth/me/', { by: person, json })
    expect((await edit({ action: 'request_email_verification', ...rest })).status).toBe(200)
    expect(
      Object.keys(
        v.parse(problem, await (await edit({ action: 'other', ...rest })).json()).field_codes ?? {},
      ),
    ).toEqual(['action'])
    expect((await edit({ action: null, ...rest })).status).toBe(400)
    expect((await edit({ action: '', bio: 'kept' })).status).toBe(200)
    expect((await myself(person)).bio).toBe('kept')
  })

  test('tokens are not stored in the database', async () => {
    const person = await newcomer('moussa')
    const waiting = JSON.stringify(
      await server.services.database.db.selectFrom('job').selectAll().execute(),
    )
    const { token } = linkIn((await mailsTo(person.address))[0])
    expect(token).toHaveLength(43)
    expect(waiting).not.toContain('token')
    const kept = await server.services.database.db
      .selectFrom('one_time_token')
      .selectAll()
      .where('user_id', '=', person.id)
      .execute()
    expect(JSON.stringify(kept)).not.toContain(token)
  })
})

describe('[S7.12] [S7.13] a forgotten password', () => {
  test('the link sets a new password, ends all sessions, verifies the mailbox and works once', async () => {
    const person = await newcomer('salif')
    await reset({ email: 'SALIF@example.com ' })
    const { path, uid, token } = linkIn((await mailsTo(person.address))[0])
    expect(path).toBe('/reset-password')
    const short = await confirm({ uid, token, new_password: '12345' })
    expect(v.parse(problem, await short.json())).toMatchObject({
      code: 'validation_error',
      field_codes: { new_password: [{ code: 'password_too_short', min: 6, max: 128 }] },
    })
    const key = crypto.randomUUID()
    const done = await confirm({ uid, token, new_password: 'secret2' }, key)
    expect(await done.json()).toEqual({ detail: 'Mot de passe mis à jour.' })
    expect(
      (await confirm({ uid, token, new_password: 'secret2' }, key)).headers.get(
        'Idempotent-Replayed',
      ),
    ).toBe('true')
    expect((await confirm({ uid, token, new_password: 'secret3' }, key)).status).toBe(422)
    expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(401)
    expect([
      (await login('salif', 'secret1')).status,
      (await login('salif', 'secret2')).status,
    ]).toEqual([400, 200])
    const used = await confirm({ uid, token, new_password: 'secret3' })
    expect(v.parse(problem, await used.json())).toMatchObject({
      code: 'reset_link_invalid',
      detail: 'Impossible de mettre à jour le mot de passe. Le lien peut être expiré.',
      token: ['Impossible de mettre à jour le mot de passe. Le lien peut être expiré.'],
    })
    const row = await server.services.database.db
      .selectFrom('app_user')
      .select('email_verified_at')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(row.email_verified_at).not.toBeNull()
    expect((await mailsTo(person.address))[0]).toContain('vient d’être modifié')
  })

  test('[D71] response and cooldown are the same with and without an account', async () => {
    await newcomer('issa')
    const known = await reset({ username: 'issa' })
    const unknown = await reset({ username: 'nobody-here' })
    expect(await known.text()).toBe(await unknown.text())
    const again = await Promise.all([reset({ email: ' ISSA' }), reset({ username: 'Nobody-here' })])
    expect(again.map((response) => response.status)).toEqual([429, 429])
    expect((await reset({})).status).toBe(400)
  })

  test('[D115] requests by username and email share the cooldown; the first link stays valid', async () => {
    const person = await newcomer('rasmata')
    await reset({ username: 'rasmata' })
    await reset({ email: person.address })
    const links = (await mailsTo(person.address))
      .map(linkIn)
      .filter(({ path }) => path === '/reset-password')
    expect(links).toHaveLength(1)
    expect((await confirm({ ...links[0], new_password: 'secret2' })).status).toBe(200)
  })

  test('a link older than two hours and another user’s uid are refused', async () => {
    const person = await newcomer('oumar')
    const other = await newcomer('other.oumar')
    await reset({ username: 'oumar' })
    const { uid, token } = linkIn((await mailsTo(person.address))[0])
    expect(await codeOf(await confirm({ uid: other.id, token, new_password: 'secret2' }))).toBe(
      'reset_link_invalid',
    )
    later(2.1 * HOUR)
    expect(await codeOf(await confirm({ uid, token, new_password: 'secret2' }))).toBe(
      'reset_link_invalid',
    )
  })
})
