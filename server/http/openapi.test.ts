import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { routes } from '../app.ts'
import { testServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const document = v.looseObject({ openapi: v.literal('3.1.0'), paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))), components: v.object({ schemas: v.record(v.string(), v.unknown()), securitySchemes: v.unknown() }) })
const read = async () => v.parse(document, await (await server.call('GET', 'schema/')).json())

test('[S7.51] [API 15] the description names every call once, and is kept like all that is static', async () => {
  const response = await server.call('GET', 'schema/')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600, stale-while-revalidate=86400')
  const { paths } = await read()
  const described = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
  expect(described.toSorted()).toEqual([...routes.map(({ call }) => `${call.method} /api/${call.path}`), 'GET /api/schema/'].toSorted())
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

test('every reference leads somewhere, and lengths, formats and choices came along', async () => {
  const text = JSON.stringify(await read())
  const { components } = await read()
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) expect(Object.keys(components.schemas)).toContain(name)
  expect(text).not.toMatch(/"\$ref":"#\/\$defs/)
  expect((await read()).paths['/api/auth/register/']?.['post']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { required: ['username', 'email', 'password'], properties: { password: { minLength: 6, maxLength: 128 } } } } } },
    responses: { 201: { content: { 'application/json': { schema: { properties: { user: { $ref: '#/components/schemas/User' } } } } } } },
  })
})

test('people can read it without a script', async () => {
  const page = await server.app.request('/api/docs')
  expect(page.headers.get('Content-Security-Policy')).not.toContain('unsafe')
  expect(await page.text()).toContain('POST /api/auth/register/')
})
