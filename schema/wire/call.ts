import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { JSON_BYTES } from '../limits.ts'

/** Cache classes of [API 1.5]; `none` for writes and errors. */
export type Cache = 'static' | 'catalogue' | 'personal' | 'counted' | 'none'

/**
 * public: anybody · open: anybody, and a bad token is ignored · signed-in: needs a session
 * [API 1.1].
 */
export type Access = 'public' | 'open' | 'signed-in'

/**
 * Body formats: JSON, JSON or multipart (`both`), multipart only, or any text that may contain JSON
 * [API 15].
 */
type Form = 'json' | 'both' | 'multipart' | 'text'

/**
 * One API endpoint. The server derives a validated route and its OpenAPI entry from it, the engine
 * its requests. `path` is relative to `/api/`, ends in `/`, and has ids as `{id}`.
 */
export interface Call<
  Query extends GenericSchema | null = GenericSchema | null,
  Body extends GenericSchema | null = GenericSchema | null,
  Answer extends GenericSchema | null = GenericSchema | null,
  Path extends string = string,
> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: Path
  readonly access: Access
  readonly cache: Cache
  readonly query: Query
  readonly body: Body
  /** null: 204 without a body. */
  readonly answer: Answer
  /** Success status; default 200, or 204 without an answer. */
  readonly status: 200 | 201 | 204
  readonly form: Form
  /** File parts of a multipart body, and the maximum number of each [API 6.1]. */
  readonly files: Readonly<Record<string, number>>
  /** Maximum body size in bytes [API 1.2]. */
  readonly bodyMax: number
  /** Whether an Idempotency-Key is used [API 2]: all writes but a few. */
  readonly keyed: boolean
}

export type QueryOf<C extends Call> = C['query'] extends GenericSchema
  ? InferInput<C['query']>
  : undefined
export type BodyOf<C extends Call> = C['body'] extends GenericSchema
  ? InferInput<C['body']>
  : undefined
export type AnswerOf<C extends Call> = C['answer'] extends GenericSchema
  ? InferOutput<C['answer']>
  : undefined
/** The parameter names in a path: `listings/{id}/` has `id`. */
export type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never

type Defaulted =
  | 'method'
  | 'query'
  | 'body'
  | 'answer'
  | 'access'
  | 'cache'
  | 'status'
  | 'form'
  | 'files'
  | 'bodyMax'
  | 'keyed'

const UPLOAD_MAX = 6 * 1024 * 1024

/** A GET of what belongs to the caller. */
export const personal = { access: 'signed-in', cache: 'personal' } as const

type Given<
  Q extends GenericSchema | null = GenericSchema | null,
  B extends GenericSchema | null = GenericSchema | null,
  A extends GenericSchema | null = GenericSchema | null,
  P extends string = string,
> = Omit<Call<Q, B, A, P>, Defaulted> & Partial<Pick<Call<Q, B, A, P>, Defaulted>>

/**
 * Creates a call with defaults: GET, no query, body and answer; a GET is public with the cache class
 * `catalogue`; a write requires a session, takes JSON and a key, and is not cached.
 */
export function call<
  const P extends string,
  Q extends GenericSchema | null = null,
  B extends GenericSchema | null = null,
  A extends GenericSchema | null = null,
>(what: Given<Q, B, A, P>): Call<Q, B, A, P>
/* @__NO_SIDE_EFFECTS__ */
export function call(what: Given): Call {
  const { method = 'GET' } = what
  const read = method === 'GET'
  return {
    method,
    query: null,
    body: null,
    answer: null,
    access: read ? 'public' : 'signed-in',
    cache: read ? 'catalogue' : 'none',
    status: what.answer ? 200 : 204,
    form: 'json',
    files: {},
    bodyMax: what.form === 'both' || what.form === 'multipart' ? UPLOAD_MAX : JSON_BYTES,
    keyed: !read,
    ...what,
  }
}
