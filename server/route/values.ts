import { flag, isMembers } from '#schema/members'
import { jsonOf } from '#schema/parsed'
import * as v from 'valibot'
import type { LocalizedText } from '#schema/wire/shapes'
import { isVisible } from '#schema/text'
import { refuseFields, type FieldFault } from './refusal.ts'
import { isCode, type Code } from './texts.ts'

/** JSON has types, a query and a form have strings (and lists of strings). */
export type Source = 'json' | 'query' | 'form'

/** `{ title: { too_short: … } }`; `*` for any code. */
export type FieldTexts = Readonly<Record<string, Partial<Record<Code | '*', LocalizedText>>>>

/** Cleans, converts by [API 1.1], validates. Throws with a code on each invalid field. */
export function readValues<S extends v.GenericSchema>(
  schema: S,
  raw: unknown,
  source: Source,
  own: FieldTexts = {},
): v.InferOutput<S> {
  const read = v.safeParse(schema, convert(schema, raw, source), { abortPipeEarly: true })
  if (read.success) return read.output
  const fields: Record<string, FieldFault[]> = {}
  for (const issue of read.issues) {
    const name = v.getDotPath(issue) ?? 'non_field_errors'
    fields[name] ??= [faultOf(schema, issue, own[name])]
  }
  throw refuseFields(fields)
}

/** What does not fit is left for validation. */
function convert(schema: v.GenericSchema, raw: unknown, source: Source): unknown {
  const shape = view(schema)
  if (shape.wrapped !== null) return unwrap(shape, raw, source)
  if (raw === undefined || raw === null) return raw
  switch (shape.type) {
    case 'string':
    case 'picklist':
    case 'literal':
      return typeof raw !== 'string'
        ? raw
        : shape.metadata['verbatim'] === true
          ? raw.normalize('NFC')
          : clean(raw)
    case 'number':
      return typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) && shape.has('integer')
        ? Number(raw)
        : raw === ''
          ? null
          : raw
    case 'boolean':
      return raw === '' ? null : (flag(typeof raw === 'string' ? raw.trim() : raw) ?? raw)
    case 'array':
      // JSON has lists: any other value is invalid [API 1.1]
      if (source === 'json' && !Array.isArray(raw)) return raw
      return items(raw, source).map((one) =>
        shape.item === null ? one : convert(shape.item, one, source),
      )
    case 'object':
    case 'loose_object':
      return members(shape.entries, raw, source)
    case 'union':
      return (
        shape.options
          .map((one) => [one, convert(one, raw, source)] as const)
          .find(([one, value]) => v.is(one, value))?.[1] ?? deepClean(raw)
      )
    default:
      return source === 'form' ? deepClean(fromJson(raw)) : deepClean(raw)
  }
}

/** Passwords, because its hash is fast, and the key itself [API 2]. */
export function unprinted(body: v.GenericSchema | null): ReadonlySet<string> {
  const entries = body === null ? {} : view(body).entries
  const secret = (schema: v.GenericSchema): boolean => {
    const shape = view(schema)
    return shape.wrapped === null ? shape.metadata['verbatim'] === true : secret(shape.wrapped)
  }
  return new Set([
    'client_id',
    ...Object.keys(entries).filter((name) => entries[name] !== undefined && secret(entries[name])),
  ])
}

/** [API 1.1]; invisible text is empty [A6]. */
function clean(text: string) {
  if (!isVisible(text)) return ''
  return (
    text
      .normalize('NFC')
      .replaceAll('\r\n', '\n')
      // oxlint-disable-next-line no-control-regex -- these characters are removed
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
      .trim()
  )
}

export const soundText = (text: string) => text.isWellFormed() && !text.includes('\0')

function unwrap(shape: View, raw: unknown, source: Source): unknown {
  if (source === 'query' && raw !== undefined && isCommaList(shape))
    return [raw]
      .flat()
      .filter((one) => typeof one === 'string')
      .join(',')
  const empty = raw === '' && (source === 'query' || shape.nullable)
  if (empty) return shape.nullable && source !== 'query' ? null : undefined
  if (raw === undefined || raw === null || shape.wrapped === null) return raw
  const value = convert(shape.wrapped, raw, source)
  return value === '' && shape.nullable ? null : value
}

const isCommaList = ({ wrapped, metadata }: View) =>
  (wrapped === null ? metadata : view(wrapped).metadata)['commaList'] === true

function items(raw: unknown, source: Source) {
  if (source === 'query')
    return [raw]
      .flat()
      .flatMap((one) =>
        typeof one === 'string' ? one.split(',').filter((part) => part.trim() !== '') : [one],
      )
  if (Array.isArray(raw) && source === 'json') return raw
  const parts: unknown[] = [raw].flat()
  const only = parts.length === 1 ? fromJson(parts[0]) : parts
  return Array.isArray(only) ? only : [only].filter((one) => one !== '')
}

function members(
  entries: Readonly<Record<string, v.GenericSchema>>,
  raw: unknown,
  source: Source,
): unknown {
  const given = source === 'form' ? fromJson(raw) : raw
  // valibot would accept a list as an empty object
  if (!isMembers(given)) return Array.isArray(given) ? NO_OBJECT : given
  const result: Record<string, unknown> = { ...given }
  for (const [name, schema] of Object.entries(entries)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const shape = view(schema)
    const many = shape.list || (isCommaList(shape) && value !== undefined)
    const converted = convert(schema, many ? value : last(value, source), source)
    if (converted === undefined) delete result[name]
    else result[name] = converted
  }
  return result
}

const NO_OBJECT = 0

const last = (value: unknown, source: Source): unknown =>
  source !== 'json' && Array.isArray(value) ? value.at(-1) : value

function fromJson(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^\s*[[{]/.test(raw)) return raw
  return jsonOf(raw) ?? raw
}

function deepClean(raw: unknown): unknown {
  if (typeof raw === 'string') return clean(raw)
  if (Array.isArray(raw)) return raw.map(deepClean)
  return isMembers(raw)
    ? Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, deepClean(value)]))
    : raw
}

function faultOf(
  schema: v.GenericSchema,
  issue: v.BaseIssue<unknown>,
  own: Partial<Record<Code | '*', LocalizedText>> | undefined,
): FieldFault {
  const at = view(
    leaf(
      schema,
      (issue.path ?? []).map((item) => item.key),
    ),
  )
  const code = codeOf(issue, at)
  const text = own?.[code] ?? own?.['*']
  const more = bounded.has(code) ? at.bounds(code) : {}
  return { code, more, ...(text && { text }) }
}

const bounded = new Set<Code>([
  'too_short',
  'too_long',
  'min_value',
  'max_value',
  'password_too_short',
  'too_many_ids',
])
const byCheck: Readonly<Record<string, Code>> = {
  min_length: 'too_short',
  max_length: 'too_long',
  min_value: 'min_value',
  max_value: 'max_value',
  picklist: 'invalid_choice',
  literal: 'invalid_choice',
}

/** When given but empty; elsewhere it is `required` [API 1.1]. */
const FOR_EMPTY = new Set<Code>(['blank', 'message_empty'])

function codeOf(issue: v.BaseIssue<unknown>, at: View): Code {
  const absent = issue.input === undefined || issue.input === null
  if (absent && issue.kind === 'schema') return 'required'
  const own = isCode(issue.message) ? issue.message : null
  if (issue.input === '' && (at.type === 'string' || at.type === 'picklist'))
    return own !== null && FOR_EMPTY.has(own) ? own : 'required'
  if (own !== null) return own
  return byCheck[issue.type] ?? 'invalid'
}

function leaf(schema: v.GenericSchema, path: readonly unknown[]): v.GenericSchema {
  const [key, ...rest] = path
  let shape = view(schema)
  while (shape.wrapped !== null) shape = view(shape.wrapped)
  if (key === undefined) return shape.schema
  const next = typeof key === 'string' ? shape.entries[key] : shape.item
  return next === undefined || next === null ? shape.schema : leaf(next, rest)
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  isMembers(value) && value['kind'] === 'schema'
type View = ReturnType<typeof look>
const views = new WeakMap<v.GenericSchema, View>()

export function view(schema: v.GenericSchema): View {
  const known = views.get(schema)
  if (known !== undefined) return known
  const made = look(schema)
  views.set(schema, made)
  return made
}

const isList = (schema: v.GenericSchema): boolean =>
  schema.type === 'array' ||
  ('wrapped' in schema && isSchema(schema.wrapped) && isList(schema.wrapped))

/** `wrapped`: of an optional or nullable one. */
function look(schema: v.GenericSchema) {
  const get = (name: string): unknown => Reflect.get(schema, name)
  const pipe = get('pipe')
  const actions = Array.isArray(pipe) ? pipe.filter(isMembers) : []
  const bound = (type: string) => {
    const found = actions.find((action) => action['type'] === type)?.['requirement']
    return typeof found === 'number' ? found : null
  }
  const wrapped = get('wrapped')
  const inner = isSchema(wrapped) ? wrapped : null
  const [item, entries, options] = [get('item'), get('entries'), get('options')]
  return {
    schema,
    type: schema.type,
    wrapped: inner,
    nullable: schema.type === 'nullable' || schema.type === 'nullish',
    optional: schema.type === 'optional' || schema.type === 'nullish',
    list: isList(schema),
    item: isSchema(item) ? item : null,
    entries: isMembers(entries)
      ? Object.fromEntries(
          Object.entries(entries).flatMap(([name, one]) =>
            isSchema(one) ? [[name, one] as const] : [],
          ),
        )
      : {},
    options: Array.isArray(options) ? options.filter(isSchema) : [],
    metadata: v.getMetadata(schema),
    has: (check: string) => actions.some((action) => action['type'] === check),
    /** Of the length for strings, of the value for numbers. */
    bounds(code: Code): Record<string, number> {
      const of = code.endsWith('_value') ? 'value' : 'length'
      const min = bound(`min_${of}`)
      const max = bound(`max_${of}`)
      return { ...(min !== null && { min }), ...(max !== null && { max }) }
    },
  }
}
