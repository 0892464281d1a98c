import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { routes } from '../../app.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const document = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
  components: v.object({
    schemas: v.record(v.string(), v.unknown()),
    securitySchemes: v.unknown(),
  }),
})
const read = async () => v.parse(document, await (await server.call('GET', 'schema/')).json())

test('[S7.51] [API 15] the description names every call once, and is cached as static', async () => {
  const response = await server.call('GET', 'schema/')
  expect(response.headers.get('Cache-Control')).toBe(
    'public, max-age=3600, stale-while-revalidate=86400',
  )
  const { paths } = await read()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    [
      ...routes.map(({ call }) => `${call.method} /api/${call.path}`),
      'GET /api/schema/',
    ].toSorted(),
  )
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('every reference resolves; lengths, formats and choices are included', async () => {
  const text = JSON.stringify(await read())
  const { components } = await read()
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(components.schemas)).toContain(name)
  expect(text).not.toMatch(/"\$ref":"#\/\$defs/)
  expect((await read()).paths['/api/auth/register/']?.['post']).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: {
            required: ['username', 'email', 'password'],
            properties: { password: { minLength: 6, maxLength: 128 } },
          },
        },
      },
    },
    responses: {
      201: {
        content: {
          'application/json': {
            schema: { properties: { user: { $ref: '#/components/schemas/User' } } },
          },
        },
      },
    },
  })
})

test('[API 20] the viewer uses no inline code and no other host', async () => {
  const page = await server.app.request('/api/docs')
  const policy = page.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const html = await page.text()
  expect(html).not.toMatch(/<script[^>]*>[^<]|<style| style=| on\w+=|https?:/)
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  expect(addresses).toHaveLength(5)
  for (const address of addresses) {
    const answer = await server.app.request(address, { headers: { 'Accept-Encoding': 'br' } })
    expect([address, answer.status, (await answer.arrayBuffer()).byteLength > 50]).toEqual([
      address,
      200,
      true,
    ])
  }
})

test('[API 20] the viewer’s files are compressed, revalidated and limited to known names', async () => {
  const get = (more: Readonly<Record<string, string>>) =>
    server.app.request('/api/docs/swagger-ui-bundle.js', {
      headers: { 'Accept-Encoding': 'br', ...more },
    })
  const packed = await get({})
  expect(packed.headers.get('Content-Encoding')).toBe('br')
  expect(packed.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
  expect((await packed.arrayBuffer()).byteLength).toBeLessThan(600_000)
  const etag = packed.headers.get('ETag') ?? ''
  expect((await get({ 'If-None-Match': etag })).status).toBe(304)
  for (const name of ['package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json'])
    expect([name, (await server.app.request(`/api/docs/${name}`)).status]).toEqual([name, 404])
})
