import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { atLeast, clientId, pages, secret, text, whole } from '#schema/wire/shapes'
import { Refusal } from './refusal.ts'
import { readValues, unprinted, type Source } from './values.ts'

const thing = v.object({
  title: v.optional(text(5, 10)),
  note: v.nullish(text(0, 10)),
  body: v.optional(v.pipe(v.string(), atLeast(1, 'blank'))),
  size: v.optional(whole(1, 100)),
  free: v.optional(v.number()),
  open: v.optional(v.boolean()),
  kind: v.optional(v.picklist(['a', 'b'])),
  tags: v.optional(v.array(v.string())),
  specs: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  word: v.optional(secret(3, 9, 'password_too_short')),
  client_id: clientId,
  ...pages,
})

function read(raw: unknown, source: Source): unknown {
  try {
    return readValues(thing, raw, source)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return Object.fromEntries(
      Object.entries(error.fields).map(([name, [fault]]) => [
        name,
        { code: fault?.code, ...fault?.more },
      ]),
    )
  }
}

describe('[API 1.1] value types', () => {
  test.each<[Source, unknown, unknown]>([
    ['json', { size: '42', open: 'true' }, { size: 42, open: true }],
    ['json', { size: 42, open: 0 }, { size: 42, open: false }],
    ['json', { size: '4.2' }, { size: { code: 'invalid' } }],
    ['json', { size: 4.2 }, { size: { code: 'invalid' } }],
    ['json', { size: true }, { size: { code: 'invalid' } }],
    ['json', { size: '' }, { size: { code: 'required' } }],
    ['json', { size: null }, { size: { code: 'required' } }],
    ['json', { size: 101 }, { size: { code: 'max_value', min: 1, max: 100 } }],
    ['json', { size: '-7' }, { size: { code: 'min_value', min: 1, max: 100 } }],
    ['json', { free: '7' }, { free: { code: 'invalid' } }],
    ['json', { open: 'yes' }, { open: { code: 'invalid' } }],
    ['json', { kind: 'c' }, { kind: { code: 'invalid_choice' } }],
    ['json', { kind: 7 }, { kind: { code: 'invalid_choice' } }],
    ['json', { kind: '' }, { kind: { code: 'required' } }],
    ['json', { title: 7 }, { title: { code: 'invalid' } }],
    ['json', { title: '  abcde \r\n' }, { title: 'abcde' }],
    ['json', { title: 'e\u0301t\u00e9s !' }, { title: '\u00e9t\u00e9s !' }],
    ['json', { title: 'abcd' }, { title: { code: 'too_short', min: 5, max: 10 } }],
    ['json', { title: '' }, { title: { code: 'required' } }],
    ['json', { body: '  ' }, { body: { code: 'blank' } }],
    ['json', { note: '' }, { note: null }],
    ['json', { note: null }, { note: null }],
    ['json', { word: ' a ' }, { word: ' a ' }],
    ['json', { word: 'ab' }, { word: { code: 'password_too_short', min: 3, max: 9 } }],
    ['json', { word: '' }, { word: { code: 'required' } }],
    ['json', { tags: ['a', 7] }, { 'tags.1': { code: 'invalid' } }],
    [
      'json',
      { specs: { brand: ' Toyota ', year: 2012 } },
      { specs: { brand: 'Toyota', year: 2012 } },
    ],
    ['json', { specs: { brand: {} } }, { 'specs.brand': { code: 'invalid' } }],
    ['json', { unknown: 1, title: 'abcde' }, { title: 'abcde' }],
    ['query', { tags: ['a,b', 'c'], size: ['1', '2'] }, { tags: ['a', 'b', 'c'], size: 2 }],
    ['query', { size: '', title: '' }, {}],
    ['query', { page: '0' }, { page: { code: 'invalid' } }],
    ['query', { page: 'x' }, { page: { code: 'invalid' } }],
    ['query', { page: '1e3' }, { page: { code: 'invalid' } }],
    [
      'form',
      { tags: ['a', 'b'], title: ['first', 'other one'] },
      { tags: ['a', 'b'], title: 'other one' },
    ],
    [
      'form',
      { tags: '["a","b"]', specs: '{"year":2012}' },
      { tags: ['a', 'b'], specs: { year: 2012 } },
    ],
    ['form', { specs: '{broken' }, { specs: { code: 'invalid' } }],
    ['form', { note: '' }, { note: null }],
  ])('%s %j is read as %j', (source, raw, result) => {
    expect(read(raw, source)).toEqual(result)
  })

  test('members of the prototype are not members', () => {
    expect(read(JSON.parse('{"__proto__":{"title":"abcde"},"constructor":1}'), 'json')).toEqual({})
  })
})

test('[API 2] no fingerprint contains passwords or the key', () => {
  expect([...unprinted(thing)].toSorted()).toEqual(['client_id', 'word'])
})
