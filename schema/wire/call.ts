import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { JSON_BYTES } from '../limits.ts'

/** Cache classes of [API 1.5]; `none` for writes and errors. */
export type Cache = 'static' | 'catalogue' | 'personal' | 'counted' | 'none'

/** Who may call: anybody, anybody but a bad token is ignored too, or a signed-in person [API 1.1]. */
export type Access = 'public' | 'open' | 'signed-in'

/** What a body may be: JSON, `multipart` as well as JSON, a multipart body only, or any text that may hold JSON [API 15]. */
type Form = 'json' | 'both' | 'multipart' | 'text'

/**
 * One call of the API. The server makes a checked route and its OpenAPI entry of it, the engine makes requests of it.
 * `path` is relative to `/api/`, ends in `/`, and names its ids as `{id}`.
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
  /** The status of success, 200 unless said. */
  readonly status: 200 | 201 | 204
  readonly form: Form
  /** The parts of a multipart body that are files, and how many of each [API 6.1]. */
  readonly files: Readonly<Record<string, number>>
  /** Bytes of the largest body; [API 1.2]. */
  readonly bodyMax: number
  /** Whether an Idempotency-Key counts [API 2]: every write but a few. */
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
/** The ids that a path names: `listings/{id}/` has `id`. */
export type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never

type Rest = 'access' | 'cache' | 'status' | 'form' | 'files' | 'bodyMax' | 'keyed'

const UPLOAD_MAX = 6 * 1024 * 1024

/** A call with the usual rest: GET is public and of the catalogue, a write is for signed-in people, takes JSON and a key, and is not cached. */
/* @__NO_SIDE_EFFECTS__ */
export function call<
  Q extends GenericSchema | null,
  B extends GenericSchema | null,
  A extends GenericSchema | null,
  const P extends string,
>(what: Omit<Call<Q, B, A, P>, Rest> & Partial<Pick<Call<Q, B, A, P>, Rest>>): Call<Q, B, A, P> {
  const read = what.method === 'GET'
  return {
    access: read ? 'public' : 'signed-in',
    cache: read ? 'catalogue' : 'none',
    status: what.answer === null ? 204 : 200,
    form: 'json',
    files: {},
    bodyMax: what.form === 'both' || what.form === 'multipart' ? UPLOAD_MAX : JSON_BYTES,
    keyed: !read,
    ...what,
  }
}
