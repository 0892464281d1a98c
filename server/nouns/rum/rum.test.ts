import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const send = (body: string, headers: Record<string, string> = {}) =>
  server.app.request('/api/rum/', { method: 'POST', body, headers })
const rows = () => server.services.database.db.selectFrom('rum').selectAll().orderBy('id').execute()

test('[S7.49] stores the known members of a report, URLs without query and hash', async () => {
  const before = (await rows()).length
  const report = {
    type: 'error',
    url: 'https://yaar.test/listings?token=secret#x',
    message: 'x'.repeat(600),
    lineno: 7,
    status: '500',
    secret: 'dropped',
    ts: 1700000000000,
  }
  expect(
    (
      await send(JSON.stringify([report, { type: 'unknown' }, 'text']), {
        'Content-Type': 'text/plain',
      })
    ).status,
  ).toBe(204)
  const after = await rows()
  expect(after).toHaveLength(before + 1)
  expect(after.at(-1)).toMatchObject({
    type: 'error',
    url: 'https://yaar.test/listings',
    message: 'x'.repeat(500),
    lineno: 7,
    status: null,
    ts: '1700000000000',
  })
})

test.each([['{'], ['null'], ['[]'], ['"\\ud800"'], ['x'.repeat(20_000)], ['']])(
  '[API 15] %.20s is answered with 204 and changes nothing',
  async (body) => {
    const before = (await rows()).length
    const response = await send(body, {
      'Content-Type': 'application/octet-stream',
      Authorization: 'Bearer nonsense',
    })
    expect([response.status, await response.text(), (await rows()).length]).toEqual([
      204,
      '',
      before,
    ])
  },
)

test('[API 1.6] reports over the limit are dropped silently', async () => {
  const strict = await testServer([], { RATE_LIMITS: 'on' })
  for (let n = 0; n < 62; n += 1)
    expect((await strict.call('POST', 'rum/', { json: { type: 'web-vital' } })).status).toBe(204)
  expect(await strict.services.database.db.selectFrom('rum').selectAll().execute()).toHaveLength(60)
  await strict.close()
})
