import { isMembers } from '#schema/members'
import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import sharp from 'sharp'
import * as v from 'valibot'
import { problem } from '#schema/wire/problem'
import { routes } from '../../server/app.ts'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { startServer, type Started } from './start-server.ts'
import { random, type Random } from './support/random.ts'

/**
 * `node tests/server/fuzz.ts [calls] [seed]`, and part of `npm run kills`: random calls from the
 * OpenAPI description. No 5xx; refusals match [API 1.4], successes their described shape.
 */
const CALLS = 20_000
const AT_ONCE = 8
const FAULTS_SHOWN = 10
const POOL_MAX = 300
const ANSWER_MS = 40_000

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly schema: Json
  }[]
  readonly content: Readonly<Record<string, Json>>
}

interface Made {
  readonly id: string | null
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** A whole request that no HTTP library would send. */
  readonly raw: Buffer | null
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const parameter = v.object({
  name: v.string(),
  in: v.string(),
  schema: v.record(v.string(), v.unknown()),
})
const media = v.record(v.string(), v.object({ schema: v.record(v.string(), v.unknown()) }))
const operation = v.object({
  operationId: v.string(),
  parameters: v.optional(v.array(parameter), []),
  requestBody: v.optional(v.object({ content: media })),
})
const description = v.object({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({ schemas: v.record(v.string(), v.record(v.string(), v.unknown())) }),
})

const answers = new Map(routes.map(({ call }) => [call.name, call.answer]))

const ODD_TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '-1',
  '0',
  '1e999',
  'NaN',
  '99999999999999999999',
  '2147483648',
  "'; drop table app_user; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%',
  '\\',
  '{}',
  '[]',
  '\u200b\u200d',
  '\u202eabc',
  '👨‍👩‍👧‍👦',
  '🐐'.repeat(300),
  'x'.repeat(5000),
  'İıſ',
  '\u0000',
  '\ud800',
  'a\u0000b',
  '\r\nX: y',
] as const
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  [],
  [[]],
  [null],
  {},
  { a: { b: [] } },
  Array.from({ length: 60 }, () => 'x'),
  ...ODD_TEXTS,
]
const ODD_PATHS = [
  '0',
  '-1',
  'a',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%F0%9F%90%90',
  '..',
  '%2e%2e%2f',
  'a%20b',
  'x'.repeat(65),
  'null',
  '%',
  '*',
  "'--",
  ';',
]
const ODD_QUERIES = [
  '&&&',
  '=',
  '%ff=1',
  'x=%00',
  '__proto__=1',
  'page=%',
  'ids=,,,',
  'ids=',
  '?',
  '#',
  'page[]=1',
  'a=1&a=2&a=3',
]
const ODD_BODIES = [
  '',
  '[]',
  'null',
  '1',
  '"text"',
  '{',
  '{"a":}',
  '\u0000',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"a":1}}',
  '['.repeat(5000),
  `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`,
]
const ODD_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  '*/*',
  '',
  ';;;',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Ids and other values from earlier answers, by member name. */
class Pool {
  readonly #values = new Map<string, string[]>()
  readonly keys: string[] = []

  harvest(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value) this.harvest(one, name)
    else if (isMembers(value))
      for (const [member, one] of Object.entries(value))
        this.harvest(one, member === 'id' ? 'id' : member)
    else if (typeof value === 'string' && value !== '' && value.length <= 200) {
      const list = this.#values.get(name) ?? []
      if (list.length >= POOL_MAX) list.shift()
      this.#values.set(name, [...list, value])
    }
  }

  pick(draw: Random, name: string): string | null {
    const own = this.#values.get(name) ?? []
    const list = own.length > 0 && draw.chance(0.7) ? own : (this.#values.get('id') ?? [])
    return list.length === 0 ? null : draw.pick(list)
  }
}

/** Generates values and calls; all randomness depends on the seed and the call's number. */
class Maker {
  readonly #operations: readonly Operation[]
  readonly #schemas: Readonly<Record<string, Json>>
  readonly #pool: Pool
  readonly #photo: Buffer

  constructor(
    operations: readonly Operation[],
    schemas: Readonly<Record<string, Json>>,
    pool: Pool,
    photo: Buffer,
  ) {
    this.#operations = operations
    this.#schemas = schemas
    this.#pool = pool
    this.#photo = photo
  }

  call(draw: Random, tokens: readonly string[]): Made {
    if (draw.chance(0.02)) return { ...NOTHING, raw: this.#rawRequest(draw) }
    const op = draw.pick(this.#operations)
    const known = draw.chance(0.95)
    const method = known ? op.method : draw.pick(METHODS)
    const path = draw.chance(0.01)
      ? `/api/${draw.pick(ODD_PATHS)}/`
      : op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#inPath(draw, name))
    const headers = this.#headers(draw, tokens)
    const body = method === 'GET' || method === 'HEAD' ? null : this.#body(draw, op, headers)
    return {
      id: known && path !== '' ? op.id : null,
      method,
      url: `${draw.chance(0.05) ? path.replace(/\/$/, '') : path}${this.#query(draw, op)}`,
      headers,
      body,
      raw: null,
    }
  }

  #inPath(draw: Random, name: string): string {
    const known = this.#pool.pick(draw, draw.chance(0.5) ? 'id' : name)
    return known !== null && draw.chance(0.75)
      ? encodeURIComponent(known.slice(0, 80))
      : draw.pick(ODD_PATHS)
  }

  #query(draw: Random, op: Operation): string {
    const given = op.parameters
      .filter((one) => one.in === 'query' && draw.chance(0.35))
      .map(({ name, schema }) => `${name}=${encoded(this.#value(draw, schema, name, 0))}`)
    if (op.method === 'GET' && draw.chance(0.1))
      given.push(
        `spec.${draw.pick(['brand', 'year', 'fuel', 'x'])}=${encoded(draw.pick(ODD_TEXTS))}`,
      )
    if (draw.chance(0.08)) given.push(draw.pick(ODD_QUERIES))
    return given.length === 0 ? '' : `?${given.join('&')}`
  }

  #headers(draw: Random, tokens: readonly string[]): Record<string, string> {
    const headers: Record<string, string> = {}
    const token = draw.pick(tokens)
    const auth = draw.weigh({ token: 60, none: 28, bad: 8, odd: 4 })
    if (auth === 'token') headers['Authorization'] = `Token ${token}`
    if (auth === 'bad') headers['Authorization'] = `Token ${'A'.repeat(43)}`
    if (auth === 'odd')
      headers['Authorization'] = draw.pick([
        'Token',
        'Bearer x',
        `token ${token}`,
        `Basic ${token}`,
        'é',
        ' ',
      ])
    const key = draw.weigh({ none: 50, new: 35, again: 10, odd: 5 })
    if (key === 'new') this.#pool.keys.push((headers['Idempotency-Key'] = uuid(draw)))
    if (key === 'again' && this.#pool.keys.length > 0)
      headers['Idempotency-Key'] = draw.pick(this.#pool.keys)
    if (key === 'odd')
      headers['Idempotency-Key'] = draw.pick([
        'short',
        'x'.repeat(256),
        'with a space',
        'é'.repeat(9),
        '',
      ])
    const more: Readonly<Record<string, readonly string[]>> = {
      'Accept-Language': ['fr', 'en', 'de;q=0', 'x'.repeat(500), '*', 'en;q=abc'],
      'Accept-Encoding': ['br', 'gzip', 'br;q=0', '*', 'identity;q=0'],
      'If-None-Match': ['*', 'W/"x"', '"', ',,,'],
      'X-Session-Id': ['session-1', 'x', 'é', 'x'.repeat(65)],
      'X-Request-Id': ['abc', 'é', 'x'.repeat(65)],
      'X-Forwarded-For': ['1.1.1.1', ',,,', 'x', '::1%eth0'],
      'Content-Encoding': ['gzip', 'br', 'identity'],
      Origin: ['null', 'https://x.example', 'x'],
      Range: ['bytes=0-1', 'x'],
    }
    for (const [name, values] of Object.entries(more))
      if (draw.chance(name === 'Content-Encoding' ? 0.01 : 0.08)) headers[name] = draw.pick(values)
    return headers
  }

  #body(draw: Random, op: Operation, headers: Record<string, string>): Buffer | null {
    const types = Object.keys(op.content)
    const kind = draw.weigh({ right: 84, odd: 8, type: 4, bytes: 2, none: 2 })
    if (kind === 'none') return null
    const type = types.length === 0 ? 'application/json' : draw.pick(types)
    headers['Content-Type'] = kind === 'type' ? draw.pick(ODD_TYPES) : type
    if (kind === 'bytes')
      return Buffer.from([0x7b, 0x22, draw.whole(0, 255), 0x22, 0x3a, draw.whole(0, 255), 0x7d])
    if (kind === 'odd') return Buffer.from(draw.pick(ODD_BODIES))
    const value = this.#value(draw, op.content[type] ?? {}, '', 0)
    if (type === 'multipart/form-data' && kind === 'right')
      return this.#form(draw, value, op.content[type] ?? {}, headers)
    return Buffer.from(JSON.stringify(value))
  }

  #form(draw: Random, value: unknown, schema: Json, headers: Record<string, string>): Buffer {
    const boundary = 'fuzz-boundary'
    headers['Content-Type'] = `multipart/form-data; boundary=${boundary}`
    const parts: Buffer[] = []
    const part = (name: string, more: string, bytes: Buffer) =>
      parts.push(
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`,
        ),
        bytes,
        Buffer.from('\r\n'),
      )
    for (const [name, one] of Object.entries(isMembers(value) ? value : {})) {
      if (filesOf(schema).includes(name)) continue
      part(name, '', Buffer.from(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
    }
    for (const name of filesOf(schema)) {
      if (!draw.chance(0.7)) continue
      // A real photo is expensive, so few are sent.
      const bytes = draw.chance(0.08)
        ? this.#photo
        : draw.pick([
            Buffer.alloc(0),
            Buffer.from('no picture'),
            this.#photo.subarray(0, 100),
            Buffer.from('GIF89a'),
          ])
      part(
        draw.chance(0.9) ? name : `${name}[]`,
        `; filename="a.jpg"\r\nContent-Type: image/jpeg`,
        bytes,
      )
    }
    const end = draw.chance(0.95) ? `--${boundary}--\r\n` : ''
    return Buffer.concat([...parts, Buffer.from(end)])
  }

  /** A value for a schema: mostly a valid one, sometimes anything. */
  #value(draw: Random, schema: Json, name: string, depth: number): unknown {
    if (depth > 6 || draw.chance(0.12)) return draw.pick(ODD_VALUES)
    const ref = schema['$ref']
    if (typeof ref === 'string')
      return this.#value(draw, this.#schemas[ref.split('/').at(-1) ?? ''] ?? {}, name, depth + 1)
    if ('const' in schema) return schema['const']
    const choices = schema['enum']
    if (Array.isArray(choices)) return draw.pick(choices)
    for (const word of ['anyOf', 'oneOf']) {
      const options = schema[word]
      if (Array.isArray(options))
        return this.#value(draw, asJson(draw.pick(options)), name, depth + 1)
    }
    const all = schema['allOf']
    if (Array.isArray(all))
      return Object.assign(
        {},
        ...all.map((one) => this.#value(draw, asJson(one), name, depth + 1)).filter(isMembers),
      )
    const type: unknown = Array.isArray(schema['type']) ? draw.pick(schema['type']) : schema['type']
    switch (type) {
      case 'object':
        return this.#object(draw, schema, depth)
      case 'array':
        return Array.from({ length: draw.pick([0, 1, 1, 2, 5]) }, () =>
          this.#value(draw, asJson(schema['items']), name, depth + 1),
        )
      case 'integer':
      case 'number':
        return draw.pick([
          Number(schema['minimum'] ?? 0),
          Number(schema['maximum'] ?? 100),
          draw.whole(0, 50),
          `${draw.whole(0, 5)}`,
        ])
      case 'boolean':
        return draw.pick([true, false, 'true', 0])
      case 'null':
        return null
      default:
        return this.#text(draw, schema, name)
    }
  }

  #object(draw: Random, schema: Json, depth: number): Json {
    const needed: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    const properties = isMembers(schema['properties']) ? Object.entries(schema['properties']) : []
    const given = properties.filter(([name]) => draw.chance(needed.includes(name) ? 0.93 : 0.4))
    const extra = draw.chance(0.05)
      ? [[draw.pick(['unknown', '__proto__', 'toString', '']), draw.pick(ODD_VALUES)] as const]
      : []
    return Object.fromEntries([
      ...given.map(
        ([name, one]) => [name, this.#value(draw, asJson(one), name, depth + 1)] as const,
      ),
      ...extra,
    ])
  }

  #text(draw: Random, schema: Json, name: string): string {
    const known = this.#pool.pick(draw, name)
    if (
      known !== null &&
      draw.chance(/id|slug|uid|token|seller|cursor|after/.test(name) ? 0.85 : 0.4)
    )
      return known
    // A loopback address, so that nothing leaves this machine.
    if (/endpoint/.test(name))
      return draw.pick([
        'https://127.0.0.1/push',
        'https://[::1]/push',
        'http://10.0.0.1/',
        'https://x.invalid/',
      ])
    if (/email/.test(name)) return `fuzz${draw.whole(0, 60)}@example.com`
    if (/password/.test(name)) return draw.pick(['marche2026', 'secret1', 'x'])
    if (/username|name/.test(name)) return `fuzz${draw.whole(0, 60)}`
    if (/category/.test(name)) return draw.pick(['vehicles', 'motos', 'jobs', 'other', 'cars'])
    if (/region/.test(name)) return draw.pick(['kadiogo', 'guiriko', 'x'])
    if (/desired|action/.test(name))
      return draw.pick(['sold', 'active', 'archived', 'reserved', 'featured'])
    if (/date|_at|since|after|ts/.test(name))
      return draw.pick([
        '2026-01-01T00:00:00Z',
        '2026-13-01T00:00:00Z',
        '0000-00-00T00:00:00Z',
        '1',
      ])
    const min = Number(schema['minLength'] ?? 0)
    return draw.chance(0.8) ? 'Toyota Corolla 2012'.padEnd(min, 'x') : draw.pick(ODD_TEXTS)
  }

  #rawRequest(draw: Random): Buffer {
    const path = draw.pick(this.#operations).path
    const byte = draw.whole(0, 255)
    const tail = '\r\nHost: x\r\nConnection: close\r\n'
    const lines = [
      Buffer.concat([
        Buffer.from(`GET ${path}?x=`),
        Buffer.from([byte, draw.whole(0, 255)]),
        Buffer.from(` HTTP/1.1${tail}\r\n`),
      ]),
      Buffer.from(`GET ${path} HTTP/9.9${tail}\r\n`),
      Buffer.from(
        `${draw.pick(['BREW', 'get', 'TRACE', 'CONNECT', ''])} ${path} HTTP/1.1${tail}\r\n`,
      ),
      Buffer.from(`GET http://[ HTTP/1.1${tail}\r\n`),
      Buffer.from(`GET ${path} HTTP/1.1${tail}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`),
      Buffer.from(`GET ${path}?${'x'.repeat(9000)} HTTP/1.1${tail}\r\n`),
      Buffer.from(
        `POST ${path} HTTP/1.1${tail}Content-Type: application/json\r\nContent-Length: abc\r\n\r\n{}`,
      ),
      Buffer.from(
        `POST ${path} HTTP/1.1${tail}Content-Type: application/json\r\n` +
          'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      ),
      Buffer.from(
        `POST ${path} HTTP/1.1${tail}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ),
      Buffer.concat([
        Buffer.from(`GET ${path} HTTP/1.1${tail}Authorization: Token `),
        Buffer.from([byte]),
        Buffer.from('\r\n\r\n'),
      ]),
      Buffer.from(Array.from({ length: 40 }, () => draw.whole(0, 255))),
    ]
    return Buffer.concat([draw.pick(lines), Buffer.from('\r\n\r\n')])
  }
}

const NOTHING: Made = { id: null, method: '', url: '', headers: {}, body: null, raw: null }
const asJson = (value: unknown): Json => (isMembers(value) ? value : {})
const filesOf = (schema: Json): string[] => {
  const parts: readonly unknown[] = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  const last = asJson(parts.at(-1))
  return Object.keys(asJson(last['properties']))
}

function encoded(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join()
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed().slice(0, 3000))
}

const uuid = (draw: Random): string => {
  const hex = Array.from({ length: 32 }, () => draw.whole(0, 15).toString(16)).join('')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `7${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** Sends a call unchanged; status 0: no answer arrived. */
function send({ url }: Started, agent: Agent, made: Made): Promise<Answer> {
  const { hostname, port } = new URL(url)
  if (made.raw !== null) return sendRaw(hostname, Number(port), made.raw)
  return new Promise((resolve) => {
    const lost = (error: Error) => resolve({ status: 0, headers: {}, body: error.message })
    const asked = request(
      {
        agent,
        host: hostname,
        port,
        method: made.method,
        path: made.url,
        headers: {
          ...made.headers,
          ...(made.body !== null && { 'Content-Length': `${made.body.byteLength}` }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', lost)
        response.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, one]) => [name, [one].flat().join()]),
          )
          resolve({
            status: response.statusCode ?? 0,
            headers,
            body: Buffer.concat(chunks).toString(),
          })
        })
      },
    )
    asked.setTimeout(ANSWER_MS, () => asked.destroy(new Error('no answer in time')))
    asked.on('error', lost)
    asked.end(made.body ?? undefined)
  })
}

function sendRaw(host: string, port: number, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    let text = ''
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(
        lines.map((one) => [
          one.slice(0, one.indexOf(':')).toLowerCase(),
          one.slice(one.indexOf(':') + 1).trim(),
        ]),
      )
      const encodedBody =
        headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined
      resolve({
        status: Number(line.split(' ')[1] ?? 0),
        headers,
        body: encodedBody ? '' : Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString(),
      })
    })
    // Half-close, so that the server does not wait for more.
    socket.end(bytes)
  })
}

/** What is wrong with an answer, or null. */
function faultOf(made: Made, { status, headers, body }: Answer): string | null {
  if (status === 0) return made.raw === null ? `no answer: ${body}` : null
  if (status >= 500) return 'a 5xx'
  // An id of `..` leads to a page, which the description does not cover.
  if (made.raw === null && !new URL(made.url, 'http://server').pathname.startsWith('/api/'))
    return null
  if (status < 400) return wrongSuccess(made, status, body, headers)
  // A HEAD has no body, and the answer on a cut connection may be lost.
  if (made.method === 'HEAD' || (made.raw !== null && body === '')) return null
  if (/node_modules|\bat \w+ \(|select .+ from /i.test(body)) return 'tells too much'
  if (!(headers['content-type'] ?? '').startsWith('application/json'))
    return 'a refusal that is no JSON'
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), problem), body)
  if (!read.success || read.output.detail === '') return 'a refusal of another shape'
  if (headers['cache-control'] !== 'no-store' || headers['x-request-id'] === undefined)
    return 'a refusal without its headers'
  if (status === 401 && headers['www-authenticate'] !== 'Token')
    return '401 without WWW-Authenticate'
  if (status === 405 && headers['allow'] === undefined) return '405 without Allow'
  return status === 429 && !(Number(headers['retry-after']) >= 1) ? '429 without Retry-After' : null
}

function wrongSuccess(
  { id, method }: Made,
  status: number,
  body: string,
  headers: Answer['headers'],
): string | null {
  if (id === null || method === 'HEAD' || method === 'OPTIONS' || status === 304) return null
  const shape = answers.get(id)
  if (shape === undefined) return null
  if (shape === null || status === 204) return body === '' ? null : 'a body where none is described'
  if (headers['content-encoding'] !== undefined) return null
  return v.safeParse(v.pipe(v.string(), v.parseJson(), shape), body).success
    ? null
    : 'a success of another shape'
}

const shown = ({ method, url, headers, body, raw }: Made): string =>
  raw === null
    ? JSON.stringify({
        method,
        url: url.slice(0, 1500),
        headers,
        body: body?.toString('latin1').slice(0, 1500) ?? null,
      })
    : JSON.stringify({ raw: raw.toString('latin1').slice(0, 400) })

async function tokensOf({ url }: Started): Promise<string[]> {
  const enter = async (username: string): Promise<string> => {
    const answer = await fetch(`${url}/api/auth/login/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password: 'marche2026' }),
    })
    return v.parse(v.object({ token: v.string() }), await answer.json()).token
  }
  return Promise.all(['acheteur', 'vendeur', 'moderateur'].map(enter))
}

/** A new account: calls may end a session, which is then replaced. */
async function newToken({ url }: Started, name: string): Promise<string> {
  const body = JSON.stringify({ username: name, email: `${name}@example.com`, password: 'secret1' })
  const answer = await fetch(`${url}/api/auth/register/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return v.parse(v.object({ token: v.string() }), await answer.json()).token
}

async function operationsOf({
  url,
}: Started): Promise<{ operations: Operation[]; schemas: Readonly<Record<string, Json>> }> {
  const read = v.parse(description, await (await fetch(`${url}/api/schema/`)).json())
  const operations = Object.entries(read.paths).flatMap(([path, at]) =>
    Object.entries(at).map(([method, one]) => ({
      id: one.operationId,
      method: method.toUpperCase(),
      path,
      parameters: one.parameters,
      content: Object.fromEntries(
        Object.entries(one.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
      ),
    })),
  )
  return { operations, schemas: read.components.schemas }
}

/** Runs `calls` calls on one database; returns whether all answers were as described. */
export async function fuzz(
  place: string,
  databaseUrl: string | null,
  calls = CALLS,
  seed = randomInt(2 ** 31),
): Promise<boolean> {
  const env = {
    RATE_LIMITS: 'off',
    DEMO: '1',
    DEMO_LISTINGS: '120',
    DEMO_USERS: '30',
    LISTING_REVIEW: 'auto',
    PUSH_ALLOW_INSECURE: 'off',
  }
  const server = await startServer({
    ...env,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  })
  const began = performance.now()
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const pool = new Pool()
  const { operations, schemas } = await operationsOf(server)
  const photo = await sharp({
    create: { width: 240, height: 240, channels: 3, background: '#c8102e' },
  })
    .jpeg()
    .toBuffer()
  const maker = new Maker(operations, schemas, pool, photo)
  const tokens = await tokensOf(server)
  pool.harvest(await (await fetch(`${server.url}/api/listings/`)).json())
  const faults: string[] = []
  const statuses = new Map<number, number>()
  let people = 0
  for (let n = 0; n < calls && faults.length < FAULTS_SHOWN; n += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, calls - n) }, (_, at) =>
      maker.call(random('fuzz', seed, n + at), tokens),
    )
    const got = await Promise.all(batch.map((made) => send(server, agent, made)))
    for (const [at, answer] of got.entries()) {
      const made = batch[at]
      if (made === undefined) continue
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const fault = faultOf(made, answer)
      if (fault !== null)
        faults.push(
          `call ${n + at} of seed ${seed}: ${fault}\n  ${shown(made)}\n  ${answer.status} ${answer.body.slice(0, 600)}`,
        )
      if (answer.status < 300 && answer.body.startsWith('{')) pool.harvest(jsonOf(answer.body))
      const ended =
        answer.status === 401
          ? tokens.indexOf((made.headers['Authorization'] ?? '').slice('Token '.length))
          : -1
      if (ended >= 0) tokens[ended] = await newToken(server, `again${seed}x${(people += 1)}`)
    }
  }
  agent.destroy()
  const took = performance.now() - began
  const code = await server.stop()
  discard(server.dataDir)
  if (code !== 0) faults.push(`the server ended with ${code}: ${server.errors()}`)
  const counts = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
  console.log(
    `${place}: ${calls} calls of seed ${seed} in ${Math.round(took / 1000)} s (${counts.join(', ')}), ` +
      (faults.length === 0 ? 'no 5xx, every refusal as described' : `${faults.length} FAULTS`),
  )
  for (const fault of faults) console.log(fault)
  return faults.length === 0
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

if (import.meta.main) {
  const [calls = CALLS, seed = randomInt(2 ** 31)] = process.argv.slice(2).map(Number)
  const well = [
    await fuzz('fuzz, embedded', null, calls, seed),
    await withPostgres((url) => fuzz('fuzz, PostgreSQL', url, calls, seed)),
  ]
  process.exitCode = well.every(Boolean) ? 0 : 1
}
