import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as v from 'valibot'
import { problem } from '#schema/wire/problem'
import { routes } from '../../server/app.ts'
import { texts, isCode } from '../../server/route/texts.ts'
import { addListing } from './support/sample.ts'
import { testServer, type Person, type TestServer } from './support/server.ts'
import {
  badAddresses,
  badBodies,
  otherMethods,
  pathOf,
  theirs,
  type Bad,
  type Others,
} from './bad-input.ts'

/** Every call gets every kind of bad input: a documented 4xx, no row changed, nothing revealed. */
let server: TestServer
let me: Person
let others: Others
/** Invalid tokens: unused for 181 days, of a suspended or deleted account, of an ended session. */
let ended: string[]
beforeAll(async () => {
  server = await testServer()
  me = await server.person('conform')
  const other = await server.person('other')
  const third = await server.person('third')
  const { db } = server.services.database
  const listing = await addListing(db, other.id)
  await server.call('POST', 'conversations/start/', {
    by: third,
    json: { listing_id: listing, content: 'Bonjour' },
  })
  const conversation = v.parse(
    v.object({ id: v.string() }),
    await db.selectFrom('conversation').select('id').executeTakeFirstOrThrow(),
  ).id
  const session = (
    await db
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', other.id)
      .executeTakeFirstOrThrow()
  ).id
  others = { user: other.id, listing, conversation, session }
  ended = await endedTokens()
})
afterAll(() => server.close())

async function endedTokens(): Promise<string[]> {
  const { database } = server.services
  const [late, suspended, deleted, out] = await Promise.all(
    ['late', 'suspended', 'deleted', 'out'].map((name) => server.person(name)),
  )
  if (late === undefined || suspended === undefined || deleted === undefined || out === undefined)
    throw new Error('too few people')
  const set = (of: Person, what: { suspended_at: Date } | { deleted_at: Date }) =>
    database.db.updateTable('app_user').set(what).where('id', '=', of.id).execute()
  await database.db
    .updateTable('session')
    .set({ last_used_at: new Date(Date.now() - 181 * 86_400_000) })
    .where('user_id', '=', late.id)
    .execute()
  await set(suspended, { suspended_at: new Date() })
  await set(deleted, { deleted_at: new Date() })
  await database.db.deleteFrom('session').where('user_id', '=', out.id).execute()
  return [late, suspended, deleted, out].map(({ token }) => token)
}

const calls = routes.map(({ call }) => call)

async function send(
  { path, method, headers = {}, body }: Bad,
  usual: string,
  by: Person | null,
): Promise<Response> {
  const all = new Headers(headers)
  if (by !== null && !all.has('Authorization')) all.set('Authorization', `Token ${by.token}`)
  return server.app.request(`/api/${path}`, {
    method: method ?? usual,
    headers: all,
    body: body ?? null,
  })
}

/** One hash of all tables. */
async function rows(): Promise<string> {
  const { rows: tables } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
    server.services.database.db,
  )
  const each = tables.map(
    ({ name }) =>
      sql`select ${sql.lit(name)} as name,
        md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${sql.table(name)} as t`,
  )
  const { rows: hashes } = await sql<{
    name: string
    hash: string
  }>`${sql.join(each, sql` union all `)}`.execute(server.services.database.db)
  return hashes.map(({ name, hash }) => `${name} ${hash}`).join('\n')
}
const written = async () =>
  (
    await sql<{ n: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as n`.execute(
      server.services.database.db,
    )
  ).rows[0]?.n

/** Checks a refusal against [API 1.4]; returns what is wrong, or null. */
async function wrongWith(response: Response): Promise<string | null> {
  const text = await response.text()
  if (response.status >= 500) return `${response.status} ${text}`
  if (response.status < 400) return null
  if (/\bselect \b|insert into|node_modules|\.ts:\d|stack/i.test(text))
    return `tells too much: ${text}`
  const read = v.safeParse(problem, JSON.parse(text))
  if (!read.success) return `is no problem: ${text}`
  const { code, detail, field_codes: fields } = read.output
  if (
    detail === '' ||
    /\{\w+\}/.test(text.replaceAll(/"request_id":"[^"]*"/g, '').replaceAll(/\{"/g, ''))
  )
    return `has a text that is not finished: ${text}`
  if (code === 'validation_error') {
    const unknown = Object.values(fields ?? {})
      .flat()
      .find((one) => !isCode(one.code))
    return response.status !== 400 || unknown !== undefined || fields === undefined
      ? `bad field codes: ${text}`
      : null
  }
  if (!isCode(code) || texts[code].status !== response.status)
    return `code ${code} with ${response.status}`
  if (response.headers.get('Cache-Control') !== 'no-store') return 'may be cached'
  return response.status === 401 && response.headers.get('WWW-Authenticate') !== 'Token'
    ? 'lacks WWW-Authenticate'
    : null
}

async function survives(bad: Iterable<Bad>, usual: string): Promise<string[]> {
  const faults: string[] = []
  let before = await rows()
  let count = await written()
  for (const one of bad) {
    const response = await send(one, usual, me)
    const status = response.status
    const fault = await wrongWith(response)
    if (fault !== null) faults.push(`${one.name}: ${fault}`)
    const now = await written()
    if (now === count) continue
    // Something was written, or rolled back.
    const after = await rows()
    if (status >= 400 && after !== before) faults.push(`${one.name}: ${status}, but rows changed`)
    // A success may have ended the session or the account.
    if (status < 400) await revive()
    before = status < 400 ? await rows() : after
    count = await written()
  }
  return faults
}

async function revive(): Promise<void> {
  if ((await server.call('GET', 'auth/me/', { by: me })).status === 401) me = await server.person()
}

describe.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s',
  { timeout: 600_000 },
  (_, call) => {
    const usual = call.method

    test('[API 1.1] bad URLs cause no 5xx, and refusals change nothing', async () => {
      expect(await survives(badAddresses(call, others), usual)).toEqual([])
    })

    test.skipIf(usual === 'GET')(
      '[API 1.1] [API 5.3] bad bodies cause no 5xx, and refusals change nothing',
      async () => {
        expect(await survives(badBodies(call, others), usual)).toEqual([])
      },
    )

    test('[API 1.1] invalid tokens and unsupported methods are refused', async () => {
      const path = pathOf(call, () => theirs(call.path, others))
      const refused =
        call.access === 'open'
          ? []
          : [
              'Bearer x',
              'Token',
              'Token x',
              `Token ${'A'.repeat(43)}`,
              `Basic ${'A'.repeat(43)}`,
              '🐐',
              ...ended.map((token) => `Token ${token}`),
            ]
      for (const word of refused) {
        const response = await send(
          { name: word, path, headers: { Authorization: encodeURI(word) } },
          usual,
          null,
        )
        expect([word, response.status, v.parse(problem, await response.json()).code]).toEqual([
          word,
          401,
          'token_invalid',
        ])
      }
      const visitor = await send({ name: 'visitor', path }, usual, null)
      expect(visitor.status === 401).toBe(call.access === 'signed-in')
      const known = calls.filter((one) => one.path === call.path).map((one) => one.method)
      for (const method of otherMethods(known)) {
        const response = await send({ name: method, path, method }, usual, me)
        expect([
          method,
          response.status,
          response.headers
            .get('Allow')
            ?.split(', ')
            .filter((one) => one !== 'HEAD')
            .toSorted(),
        ]).toEqual([method, 405, known.toSorted()])
      }
    })
  },
)
