import type { GenericSchema, InferOutput } from 'valibot'
import type { Call, ParamOf } from '#schema/wire/call'
import type { Db, Tx } from '../db/tables.ts'
import type { Caller, Kept } from './caller.ts'
import { keyed } from './idempotency.ts'
import type { LimitRow } from './limits.ts'
import type { Exchange, UploadedFile } from './exchange.ts'
import { refuse } from './refusal.ts'
import { Reply } from './reply.ts'
import type { Code } from './texts.ts'
import { isRecord, readValues, type FieldTexts, type Source } from './values.ts'

type ValueOf<S extends GenericSchema | null> = S extends GenericSchema ? InferOutput<S> : undefined

interface Input<C extends Call> extends Omit<Exchange, 'params' | 'query' | 'body' | 'request'> {
  readonly params: Readonly<Record<ParamOf<C['path']>, string>>
  readonly query: ValueOf<C['query']>
  readonly body: ValueOf<C['body']>
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  /** HEAD: only the headers of a GET are sent. */
  readonly head: boolean
  /** The signed-in caller; throws `not_authenticated` for a visitor. */
  readonly me: Caller
  /** For reads. A write's handler must use its `tx`. */
  readonly db: Db
}

type Answered<C extends Call> = C['answer'] extends GenericSchema
  ? InferOutput<C['answer']> | Reply<InferOutput<C['answer']>>
  : void

export interface RouteOptions {
  /** [API 1.6] */
  readonly limit?: LimitRow
  /** Texts for the call's own fields, instead of the generic ones. */
  readonly texts?: FieldTexts
  /** When this member is given, all others are ignored [API 7.4]. */
  readonly alone?: string
  /** The 401 code for a visitor, where the specification names its own. */
  readonly signInCode?: Code
  /** Refusals that are answered with an empty 204 [API 15]. */
  readonly silent?: readonly (Code | 'validation_error')[]
}

/**
 * For a write whose response holds a token and must not be stored: what is stored instead, and how
 * a replay is answered from it.
 */
interface Secret<C extends Call> {
  keep(answer: ValueOf<C['answer']>): string
  again(input: Input<C>, kept: string): Promise<Answered<C>>
}

export interface Route {
  readonly call: Call
  readonly options: RouteOptions
  answer(exchange: Exchange): Promise<Reply>
}

export function readRoute<C extends Call>(
  call: C,
  answer: (input: Input<C>) => Promise<Answered<C>>,
  options: RouteOptions = {},
): Route {
  return {
    call,
    options,
    async answer(exchange) {
      const input = inputOf(call, exchange, options)
      if (options.limit !== undefined) await exchange.count(options.limit)
      return replyOf(call, await answer(input))
    },
  }
}

/**
 * A write: `answer` runs in one transaction, which also stores the key and the response [API 2]. It
 * must have no effect outside `tx`.
 */
export function writeRoute<C extends Call>(
  call: C,
  answer: (input: Input<C>, tx: Tx) => Promise<Answered<C>>,
  options: RouteOptions & { secret?: Secret<C> } = {},
): Route {
  return preparedRoute(
    call,
    async () => null,
    (input, tx) => answer(input, tx),
    options,
  )
}

/**
 * A write with slow work before its transaction, such as hashing or image processing. `prepare` may
 * read; it must leave nothing behind when the rest fails.
 */
export function preparedRoute<C extends Call, Ready>(
  call: C,
  prepare: (input: Input<C>) => Promise<Ready>,
  answer: (input: Input<C>, tx: Tx, ready: Ready) => Promise<Answered<C>>,
  options: RouteOptions & { secret?: Secret<C> } = {},
): Route {
  const { secret } = options
  return {
    call,
    options,
    answer: (exchange) =>
      keyed(exchange, {
        async first(transaction) {
          const input = inputOf(call, exchange, options)
          if (options.limit !== undefined) await exchange.count(options.limit)
          const ready = await prepare(input)
          return transaction(async (tx) => replyOf(call, await answer(input, tx, ready)))
        },
        keep: (given: Reply<ValueOf<C['answer']>>) =>
          secret === undefined ? jsonOf(given.value) : secret.keep(given.value),
        async again(stored: Kept) {
          if (secret === undefined) return replayOf(stored)
          const input = inputOf(call, exchange, options)
          return replyOf(call, await secret.again(input, stored.body ?? '')).with(REPLAYED)
        },
      }),
  }
}

function inputOf<C extends Call>(call: C, exchange: Exchange, options: RouteOptions): Input<C> {
  const { request, body, ...rest } = exchange
  return {
    ...rest,
    head: request.method === 'HEAD',
    params: paramsOf<C['path']>(call.path, exchange.params),
    query: valuesOf<C['query']>(call.query, exchange.query, 'query', options.texts),
    body: valuesOf<C['body']>(
      call.body,
      options.alone === undefined ? body.values : aloneIn(body.values, options.alone),
      body.source,
      options.texts,
    ),
    files: body.files,
    db: exchange.services.database.db,
    get me() {
      if (exchange.caller === null) throw refuse(options.signInCode ?? 'not_authenticated')
      return exchange.caller
    },
  }
}

function aloneIn(values: unknown, name: string): unknown {
  const given = isRecord(values) ? values[name] : undefined
  return given === undefined || given === null || given === '' ? values : { [name]: given }
}

// Overloads: the compiler cannot narrow a conditional type by its own condition.
function valuesOf<S extends GenericSchema | null>(
  schema: S,
  raw: unknown,
  source: Source,
  texts?: FieldTexts,
): ValueOf<S>
function valuesOf(
  schema: GenericSchema | null,
  raw: unknown,
  source: Source,
  texts?: FieldTexts,
): unknown {
  return schema === null ? undefined : readValues(schema, raw, source, texts)
}

function paramsOf<P extends string>(
  path: P,
  raw: Readonly<Record<string, string>>,
): Record<ParamOf<P>, string>
function paramsOf(path: string, raw: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, raw[name] ?? '']),
  )
}

function replyOf<C extends Call>(call: C, answer: Answered<C>): Reply<ValueOf<C['answer']>>
function replyOf(call: Call, answer: unknown): Reply {
  const given = answer instanceof Reply ? answer : new Reply(answer)
  return given.status === null
    ? new Reply(given.value, { status: call.status, headers: given.headers })
    : given
}

/** [API 2] */
export const REPLAYED = { 'Idempotent-Replayed': 'true' }

const replayOf = (stored: Kept): Reply =>
  new Reply(stored.body === null ? undefined : JSON.parse(stored.body), {
    status: stored.status,
    headers: { ...REPLAYED, ...(stored.location !== null && { Location: stored.location }) },
  })

const jsonOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)
