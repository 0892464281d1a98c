import { isMembers } from '#schema/members'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Call, ParamOf } from '#schema/wire/call'
import type { Db, Tx } from '../db/tables.ts'
import type { Caller, StoredReply } from './caller.ts'
import { oncePerKey } from './idempotency.ts'
import type { LimitRow } from './limits.ts'
import type { Exchange, UploadedFile } from './exchange.ts'
import { refuse } from './refusal.ts'
import { Reply } from './reply.ts'
import type { Code } from './texts.ts'
import { readValues, type FieldTexts, type Source } from './values.ts'

type ValueOf<S extends GenericSchema | null> = S extends GenericSchema ? InferOutput<S> : undefined

type Input<C extends Call> = Omit<Exchange, 'params' | 'query' | 'body' | 'request'> &
  Readonly<{
    /** Relative to `/api/`. */
    path: string
    params: Readonly<Record<ParamOf<C['path']>, string>>
    query: ValueOf<C['query']>
    body: ValueOf<C['body']>
    files: Readonly<Record<string, readonly UploadedFile[]>>
    /** Only the headers of a GET are sent. */
    head: boolean
    /** Throws `not_authenticated` for a visitor. */
    me: Caller
    /** A write's handler must use its `tx`. */
    db: Db
  }>

type Answered<C extends Call> = C['answer'] extends GenericSchema
  ? InferOutput<C['answer']> | Reply<InferOutput<C['answer']>>
  : void

type RouteOptions = Readonly<{
  limit?: LimitRow
  texts?: FieldTexts
  /** If given, other fields are ignored [API 7.4]. */
  onlyField?: string
  signInCode?: Code
  /** Answered with an empty 204 [API 15]. */
  silent?: readonly (Code | 'validation_error')[]
}>

/** For an answer that holds a token: what is stored in its place, and the answer to a repeat. */
interface SecretAnswer<C extends Call> {
  toStored(answer: ValueOf<C['answer']>): string
  fromStored(input: Input<C>, stored: string): Promise<Answered<C>>
}

export interface Route {
  readonly call: Call
  readonly options: RouteOptions
  respond(exchange: Exchange): Promise<Reply>
}

export function readRoute<C extends Call>(
  call: C,
  handler: (input: Input<C>) => Promise<Answered<C>>,
  options: RouteOptions = {},
): Route {
  return {
    call,
    options,
    async respond(exchange) {
      const input = inputOf(call, exchange, options)
      if (options.limit !== undefined) await exchange.count(options.limit)
      return replyOf(call, await handler(input))
    },
  }
}

/**
 * In one transaction, which also stores the key and the response [API 2]; no effect outside `tx`.
 */
export function writeRoute<C extends Call>(
  call: C,
  handler: (input: Input<C>, tx: Tx) => Promise<Answered<C>>,
  options: RouteOptions = {},
): Route {
  return preparedRoute(call, async () => null, handler, options)
}

/**
 * With slow work before, such as hashing. `prepare` must leave nothing behind when the rest fails.
 */
export function preparedRoute<C extends Call, Prepared>(
  call: C,
  prepare: (input: Input<C>) => Promise<Prepared>,
  handler: (input: Input<C>, tx: Tx, prepared: Prepared) => Promise<Answered<C>>,
  options: RouteOptions & { secret?: SecretAnswer<C> } = {},
): Route {
  const { secret } = options
  return {
    call,
    options,
    respond: (exchange) =>
      oncePerKey(exchange, {
        async run(transaction) {
          const input = inputOf(call, exchange, options)
          if (options.limit !== undefined) await exchange.count(options.limit)
          const prepared = await prepare(input)
          return transaction(async (tx) => replyOf(call, await handler(input, tx, prepared)))
        },
        toStored: (reply: Reply<ValueOf<C['answer']>>) =>
          secret === undefined ? jsonOf(reply.value) : secret.toStored(reply.value),
        async replay(stored: StoredReply) {
          if (secret === undefined) return replayOf(stored)
          const input = inputOf(call, exchange, options)
          const { value, headers } = replyOf(
            call,
            await secret.fromStored(input, stored.body ?? ''),
          )
          return new Reply(value, { status: call.status, headers: { ...headers, ...REPLAYED } })
        },
      }),
  }
}

function inputOf<C extends Call>(call: C, exchange: Exchange, options: RouteOptions): Input<C> {
  const { request, body, ...rest } = exchange
  return {
    ...rest,
    head: request.method === 'HEAD',
    path: call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exchange.params[name] ?? ''),
    params: paramsOf<C['path']>(call.path, exchange.params),
    query: valuesOf<C['query']>(call.query, exchange.query, 'query', options.texts),
    body: valuesOf<C['body']>(
      call.body,
      options.onlyField === undefined ? body.values : onlyFieldOf(body.values, options.onlyField),
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

function onlyFieldOf(values: unknown, name: string) {
  const value = isMembers(values) ? values[name] : undefined
  return value === undefined || value === null || value === '' ? values : { [name]: value }
}

// Overloads: the compiler cannot narrow by a conditional type.
function valuesOf<S extends GenericSchema | null>(
  schema: S,
  raw: unknown,
  source: Source,
  texts?: FieldTexts,
): ValueOf<S>
function valuesOf(schema: GenericSchema | null, raw: unknown, source: Source, texts?: FieldTexts) {
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
  const reply = answer instanceof Reply ? answer : new Reply(answer)
  return reply.status === null
    ? new Reply(reply.value, { status: call.status, headers: reply.headers })
    : reply
}

/** [API 2] */
export const REPLAYED = { 'Idempotent-Replayed': 'true' }

const replayOf = (stored: StoredReply) =>
  new Reply(stored.body === null ? undefined : JSON.parse(stored.body), {
    status: stored.status,
    headers: { ...REPLAYED, ...(stored.location !== null && { Location: stored.location }) },
  })

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
