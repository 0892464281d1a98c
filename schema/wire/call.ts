import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { JSON_BYTES } from '../limits.ts'

/** [API 1.5]; `none` for writes and errors. */
export type Cache = 'static' | 'catalogue' | 'personal' | 'counted' | 'none'

/** open: anybody, and a bad token is ignored [API 1.1]. */
export type Access = 'public' | 'open' | 'signed-in'

/** both: JSON or multipart · text: any text that may contain JSON [API 15]. */
type Form = 'json' | 'both' | 'multipart' | 'text'

/**
 * The server derives a validated route and its OpenAPI entry from it, the engine its requests.
 * `path` is relative to `/api/`, ends in `/`, and has ids as `{id}`.
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
  /** Of success; default 200, or 204 without an answer. */
  readonly status: 200 | 201 | 204
  readonly form: Form
  /** Maximum number of each file part [API 6.1]. */
  readonly files: Readonly<Record<string, number>>
  /** Of the body [API 1.2]. */
  readonly bodyMax: number
  /** Whether an Idempotency-Key is used [API 2]. */
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
/** `listings/{id}/` has `id`. */
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

/** A GET of the caller's own data. */
export const personal = { access: 'signed-in', cache: 'personal' } as const

type Given<
  Q extends GenericSchema | null = GenericSchema | null,
  B extends GenericSchema | null = GenericSchema | null,
  A extends GenericSchema | null = GenericSchema | null,
  P extends string = string,
> = Omit<Call<Q, B, A, P>, Defaulted> & Partial<Pick<Call<Q, B, A, P>, Defaulted>>

/**
 * Defaults: GET, no query, body and answer; a GET is public and cached as `catalogue`; a write
 * requires a session, takes JSON and a key.
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
