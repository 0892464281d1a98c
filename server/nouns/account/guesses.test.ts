import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { problem } from '#schema/wire/problem'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'
import { HASHES_AT_ONCE, HASHES_WAITING, hashPassword, passwordFits } from './password.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Limits against guessing and probing [A4], and the bound on concurrent hashes [A5]. */
let server: TestServer
let now = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await testServer([], { RATE_LIMITS: 'on' }, { clock: () => now })
})
afterAll(() => server.close())
beforeEach(() => {
  now = new Date(now.getTime() + 2 * 86_400_000)
})

async function withPassword(password: string): Promise<Person> {
  const person = await server.person()
  await server.services.database.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', person.id)
    .execute()
  return person
}

async function codeOf(answer: Response): Promise<string> {
  const { code, field_codes: fields } = v.parse(problem, await answer.json())
  return code === 'validation_error'
    ? Object.values(fields ?? {})
        .flat()
        .map((one) => one.code)
        .join()
    : code
}

test('[A4] after ten wrong passwords in 15 minutes, across all routes, the right one is refused too', async () => {
  const person = await withPassword('secret1')
  const wrong = 'guess-1'
  const calls = [
    () =>
      server.call('POST', 'auth/password-change/', {
        by: person,
        json: { current_password: wrong, new_password: 'another1' },
      }),
    () => server.call('DELETE', 'auth/me/', { by: person, json: { current_password: wrong } }),
    () =>
      server.call('PATCH', 'auth/me/', {
        by: person,
        json: { current_password: wrong, email: 'x@example.com' },
      }),
  ]
  for (let n = 0; n < 10; n += 1)
    expect(await codeOf((await (calls[n % 3] ?? calls[0])?.()) ?? new Response())).toBe(
      'password_incorrect',
    )
  for (const call of calls) {
    const answer = await call()
    expect([
      answer.status,
      Number(answer.headers.get('Retry-After')) > 0,
      await codeOf(answer),
    ]).toEqual([429, true, 'rate_limited'])
  }
  const change = () =>
    server.call('POST', 'auth/password-change/', {
      by: person,
      json: { current_password: 'secret1', new_password: 'another1' },
    })
  expect((await change()).status).toBe(429)
  now = new Date(now.getTime() + 901_000)
  expect((await change()).status).toBe(204)
})

test('[A4] correct passwords do not count', async () => {
  const person = await withPassword('secret1')
  for (let n = 0; n < 12; n += 1) {
    const [before, after] = [`secret${n + 1}`, `secret${n + 2}`]
    expect(
      (
        await server.call('POST', 'auth/password-change/', {
          by: person,
          json: { current_password: before, new_password: after },
        })
      ).status,
    ).toBe(204)
  }
})

test('[A4] one IP address gets a hundred wrong guesses over all accounts', async () => {
  const hash = await hashPassword('secret1')
  const people = await Promise.all(Array.from({ length: 11 }, () => server.person()))
  await server.services.database.db
    .updateTable('app_user')
    .set({ password_hash: hash })
    .where(
      'id',
      'in',
      people.map(({ id }) => id),
    )
    .execute()
  const guess = (by: Person) =>
    server.call('DELETE', 'auth/me/', { by, json: { current_password: 'guess-1' } })
  const answers = await Promise.all(
    people.flatMap((by) => Array.from({ length: 10 }, () => guess(by))),
  )
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(100)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})

test('[A4] email_taken: five an hour per visitor, five a day per account; free addresses do not count', async () => {
  const taken = 'known@example.com'
  const owner = await server.person()
  await server.services.database.db
    .updateTable('app_user')
    .set({ email: taken })
    .where('id', '=', owner.id)
    .execute()
  let n = 0
  const join = (email: string, session = 'session-1') =>
    server.call('POST', 'auth/register/', {
      headers: { 'X-Session-Id': session },
      json: { username: `probe${(n += 1)}`, email, password: 'secret1' },
    })
  expect((await join('free@example.com')).status).toBe(201)
  for (let k = 0; k < 5; k += 1) expect(await codeOf(await join(taken))).toBe('email_taken')
  expect(await codeOf(await join(taken))).toBe('rate_limited')
  expect(await codeOf(await join(taken, 'session-2'))).toBe('email_taken')

  const person = await withPassword('secret1')
  const move = (email: string) =>
    server.call('PATCH', 'auth/me/', { by: person, json: { current_password: 'secret1', email } })
  for (let k = 0; k < 5; k += 1) expect(await codeOf(await move(taken))).toBe('email_taken')
  expect(await codeOf(await move(taken))).toBe('rate_limited')
  expect(await codeOf(await move('unknown@example.com'))).toBe('rate_limited')
})

test('[A5] with a full hash queue one more is refused with 503 and Retry-After', async () => {
  const hash = await hashPassword('secret1')
  const room = HASHES_AT_ONCE + HASHES_WAITING
  let full = true
  // A hash that ends while the caller is looked up frees a slot for the next one.
  async function keepFull(): Promise<boolean> {
    let fits = true
    while (full && fits) fits = await passwordFits('secret1', hash)
    return fits
  }
  const running = Array.from({ length: room }, keepFull)
  const refused = await server.call('POST', 'auth/login/', {
    json: { username: 'nobody', password: 'secret1' },
  })
  full = false
  expect([refused.status, refused.headers.get('Retry-After'), await codeOf(refused)]).toEqual([
    503,
    '5',
    'service_unavailable',
  ])
  expect(await Promise.all(running)).toEqual(Array.from({ length: room }, () => true))
  expect(
    (
      await server.call('POST', 'auth/login/', {
        json: { username: 'nobody', password: 'secret1' },
      })
    ).status,
  ).toBe(400)
})
