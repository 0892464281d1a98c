import type { GenericSchema } from 'valibot'
import type { Call } from '#schema/wire/call'
import { view } from '../../server/route/values.ts'

export interface Bad {
  readonly name: string
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
}

const SQL = "'; drop table app_user; --"
const HTML = '<script>alert(1)</script>'
const LONG = 'x'.repeat(5000)
const texts = [
  SQL,
  HTML,
  LONG,
  '%',
  '\\',
  '🐐'.repeat(300),
  '\u202eabc',
  '0',
  '-1',
  '1e999',
  '99999999999999999999',
  '2147483648',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  ' ',
]
const values: readonly unknown[] = [
  'a\u0000b',
  '\ud800',
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  '',
  ...texts,
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  Array.from({ length: 60 }, () => 'x'),
]
export interface Others {
  readonly user: string
  readonly listing: string
  readonly conversation: string
  readonly session: string
}

const UNKNOWN = '01900000-0000-7000-8000-000000000000'
const JSON_TYPE = { 'Content-Type': 'application/json' }

export const pathOf = (call: Call, id: (name: string) => string): string =>
  call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => id(name))

/** Another person's id for a path or a member. */
export function theirs(name: string, others: Others): string {
  if (name.includes('listing')) return others.listing
  if (name.includes('conversation')) return others.conversation
  return name.includes('session') ? others.session : others.user
}

/** Bad addresses: unknown, foreign and malformed ids, and parameters of every kind. */
export function* badAddresses(call: Call, others: Others): Generator<Bad> {
  if (call.path.includes('{'))
    for (const id of [
      UNKNOWN,
      others.user,
      others.listing,
      others.conversation,
      others.session,
      'a',
      '0',
      '-1',
      'x'.repeat(65),
      '%00',
      '%ff',
      '%27%3B--',
      '..%2F..%2Fetc',
      '%F0%9F%90%90',
      'a%20b',
    ])
      yield { name: `id ${id}`, path: pathOf(call, () => id) }
  const path = pathOf(call, () => theirs(call.path, others))
  for (const raw of ['%ff=1', 'x=%ff', 'x=%00', 'x=%ED%A0%80', '&&&', '=', 'page=%'])
    yield { name: `query ${raw}`, path: `${path}?${raw}` }
  yield {
    name: 'unknown parameters',
    path: `${path}?__proto__=1&constructor=2&toString=3&unknown=${encodeURIComponent(SQL)}`,
  }
  yield { name: 'a long address', path: `${path}?x=${'x'.repeat(9000)}` }
  for (const name of Object.keys(call.query === null ? {} : view(call.query).entries)) {
    for (const value of texts.filter((text) => text !== LONG))
      yield {
        name: `${name}=${value.slice(0, 20)}`,
        path: `${path}?${name}=${encodeURIComponent(value)}`,
      }
    yield { name: `${name} twice`, path: `${path}?${name}=1&${name}=${encodeURIComponent(SQL)}` }
    yield { name: `${name} long`, path: `${path}?${name}=${LONG}` }
    for (const bytes of ['%00', '%ff', '%ED%A0%80'])
      yield { name: `${name}=${bytes}`, path: `${path}?${name}=a${bytes}` }
    yield { name: `${name} empty`, path: `${path}?${name}=` }
  }
}

export function* badBodies(call: Call, others: Others): Generator<Bad> {
  const path = pathOf(call, () => theirs(call.path, others))
  const json = (name: string, body: string): Bad => ({ name, path, headers: JSON_TYPE, body })
  for (const text of [
    '[]',
    'null',
    '1',
    '"text"',
    '{',
    '{"a":}',
    '\u0000',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
  ])
    yield json(`body ${text.slice(0, 20)}`, text)
  yield {
    name: 'a body that is no UTF-8',
    path,
    headers: JSON_TYPE,
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  }
  yield json('an empty object', '{}')
  yield json(
    'members of the prototype',
    '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}',
  )
  yield json('a huge body', JSON.stringify({ x: 'x'.repeat(call.bodyMax + 1) }))
  yield { name: 'another type', path, headers: { 'Content-Type': 'application/xml' }, body: '<a/>' }
  yield {
    name: 'a compressed body',
    path,
    headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: 'x',
  }
  yield {
    name: 'a form without parts',
    path,
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b--\r\n',
  }
  yield {
    name: 'a broken form',
    path,
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nhalf',
  }
  yield {
    name: 'a form without its boundary',
    path,
    headers: { 'Content-Type': 'multipart/form-data' },
    body: 'x',
  }
  yield {
    name: 'a key that is none',
    path,
    headers: { ...JSON_TYPE, 'Idempotency-Key': 'short' },
    body: '{}',
  }
  const entries = call.body === null ? {} : view(call.body).entries
  for (const [name, schema] of Object.entries(entries)) {
    for (const value of values)
      yield json(
        `${name}: ${JSON.stringify(value).slice(0, 30)}`,
        JSON.stringify({ ...plausible(entries, others), [name]: value }),
      )
    for (const inner of Object.keys(inside(schema)))
      for (const value of values.slice(0, 14))
        yield json(
          `${name}.${inner}: ${JSON.stringify(value).slice(0, 30)}`,
          JSON.stringify({ ...plausible(entries, others), [name]: { [inner]: value } }),
        )
  }
  if (call.form !== 'both' && call.form !== 'multipart') return
  for (const name of [...Object.keys(call.files), ...Object.keys(entries)]) {
    const form = new FormData()
    form.append(name, new Blob(['no picture']), 'a.jpg')
    form.append(name, SQL)
    yield { name: `form with a file and a text in ${name}`, path, body: form }
  }
  const many = new FormData()
  for (let n = 0; n < 60; n += 1) many.append('x', `${n}`)
  yield { name: 'a form of 60 parts', path, body: many }
}

export const otherMethods = (methods: readonly string[]): string[] =>
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !methods.includes(method))

function inside(schema: GenericSchema): Readonly<Record<string, GenericSchema>> {
  const { wrapped, entries } = view(schema)
  return wrapped === null ? entries : inside(wrapped)
}

/** A body that passes the first checks, so that one bad member reaches the later ones. */
function plausible(
  entries: Readonly<Record<string, GenericSchema>>,
  others: Others,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, schema]) =>
      view(schema).optional ? [] : [[name, guess(name, schema, others)]],
    ),
  )
}

function guess(name: string, schema: GenericSchema, others: Others): unknown {
  const shape = view(schema)
  if (shape.wrapped !== null) return guess(name, shape.wrapped, others)
  if (/email/.test(name)) return 'somebody@example.com'
  if (/password/.test(name)) return 'secret1'
  if (/listing|seller|conversation|user|id$/.test(name)) return theirs(name, others)
  switch (shape.type) {
    case 'number':
      return 3
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return plausible(shape.entries, others)
    case 'picklist':
      return 'options' in schema && Array.isArray(schema.options) ? schema.options[0] : null
    default:
      return 'Bonjour à tous'
  }
}
