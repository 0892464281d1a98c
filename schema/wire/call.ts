import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { JSON_BYTES } from '../limits.ts'

/** [API 1.5]; `none` for writes and errors. */
export type Cache = 'static' | 'catalogue' | 'personal' | 'counted' | 'none'

/** open: anybody, and a bad token is ignored [API 1.1]. */
export type Access = 'public' | 'open' | 'signed-in'

/** both: JSON or multipart · text: any text that may contain JSON [API 15]. */
type Form = 'json' | 'both' | 'multipart' | 'text'

type Schema = GenericSchema | null

/**
 * The server derives a validated route and its OpenAPI entry from it, the engine its requests.
 * `path` is relative to `/api/`, ends in `/`, and has ids as `{id}`.
 */
export type Call<
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
  Path extends string = string,
> = Readonly<{
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: Path
  access: Access
  cache: Cache
  query: Query
  body: Body
  /** null: 204 without a body. */
  answer: Answer
  /** Of success; default 200, or 204 without an answer. */
  status: 200 | 201 | 204
  form: Form
  /** Maximum number of each file part [API 6.1]. */
  files: Readonly<Record<string, number>>
  /** Of the body [API 1.2]. */
  bodyMax: number
  /** Whether an Idempotency-Key is used [API 2]. */
  keyed: boolean
}>

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

const UPLOAD_MAX = 6 * 1024 * 1024

/** A GET of the caller's own data. */
export const personal = { access: 'signed-in', cache: 'personal' } as const

export function call<
  const P extends string,
  Q extends Schema = null,
  B extends Schema = null,
  A extends Schema = null,
>(
  name: string,
  method: Call['method'],
  path: P,
  more?: Partial<Omit<Call<Q, B, A>, 'name' | 'method' | 'path'>>,
): Call<Q, B, A, P>
/* @__NO_SIDE_EFFECTS__ */
export function call(
  name: string,
  method: Call['method'],
  path: string,
  more: Partial<Call> = {},
): Call {
  const read = method === 'GET'
  return {
    name,
    method,
    path,
    query: null,
    body: null,
    answer: null,
    access: read ? 'public' : 'signed-in',
    cache: read ? 'catalogue' : 'none',
    status: more.answer ? 200 : 204,
    form: 'json',
    files: {},
    bodyMax: more.form === 'both' || more.form === 'multipart' ? UPLOAD_MAX : JSON_BYTES,
    keyed: !read,
    ...more,
  }
}
