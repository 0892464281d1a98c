import type { GenericSchema, InferInput, InferOutput } from 'valibot'

/** Cache classes of API.md 1.5; `none` for writes and errors. */
export type Cache = 'static' | 'catalogue' | 'personal' | 'counted' | 'none'

/** Who may call: anybody, anybody but a bad token is ignored too, or a signed-in person (API.md 1.1). */
export type Access = 'public' | 'open' | 'signed-in'

/**
 * One call of the API. The server makes a checked route and its OpenAPI entry of it, the engine makes requests of it.
 * `path` is relative to `/api/`, ends in `/`, and names its ids as `{id}`.
 */
export interface Call<
  Query extends GenericSchema | null = GenericSchema | null,
  Body extends GenericSchema | null = GenericSchema | null,
  Answer extends GenericSchema | null = GenericSchema | null,
> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  readonly cache: Cache
  readonly query: Query
  readonly body: Body
  /** null: 204 without a body. */
  readonly answer: Answer
  /** The status of success, 200 unless said. */
  readonly status: 200 | 201 | 204
}

export type QueryOf<C extends Call> = C['query'] extends GenericSchema ? InferInput<C['query']> : undefined
export type BodyOf<C extends Call> = C['body'] extends GenericSchema ? InferInput<C['body']> : undefined
export type AnswerOf<C extends Call> = C['answer'] extends GenericSchema ? InferOutput<C['answer']> : undefined

type Rest = 'access' | 'cache' | 'status'

/** A call with the usual rest: GET is public and of the catalogue, a write is for signed-in people and not cached. */
export function call<Q extends GenericSchema | null, B extends GenericSchema | null, A extends GenericSchema | null>(
  what: Omit<Call<Q, B, A>, Rest> & Partial<Pick<Call<Q, B, A>, Rest>>,
): Call<Q, B, A> {
  const read = what.method === 'GET'
  return {
    access: read ? 'public' : 'signed-in',
    cache: read ? 'catalogue' : 'none',
    status: what.answer === null ? 204 : 200,
    ...what,
  }
}
