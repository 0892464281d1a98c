import type { Call } from '#schema/wire/call'
import * as v from 'valibot'
import type { HttpClient, CallResult } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { exchange, type HttpCallbacks, type AuthContext } from './http.ts'

export interface HttpClientCallbacks extends HttpCallbacks {
  /** Changes the number of answers that a user waits for [S2.29]. */
  busy(more: number): void
  /** The server rejected this token [S4.06]. */
  signedOut(token: string): void
}

export function httpClientOf(
  outside: Outside,
  authContext: () => AuthContext,
  callbacks: HttpClientCallbacks,
): HttpClient {
  return {
    async call(call, options, read) {
      const mine =
        options.token === undefined ? authContext() : { ...authContext(), token: options.token }
      callbacks.busy(1)
      try {
        const reply = await exchange(outside, callbacks, { call, ...options, authContext: mine })
        if (reply.kind === 'signed-out' && mine.token !== null && options.token === undefined)
          callbacks.signedOut(mine.token)
        return reply.kind === 'done' ? understood(call, reply, read) : reply
      } finally {
        callbacks.busy(-1)
      }
    },
  }
}

type Done = { readonly kind: 'done'; readonly answer: unknown; readonly etag?: string | null }

function understood<A>(
  call: Call,
  reply: Done,
  read: ((body: unknown) => A | null) | undefined,
): CallResult<A>
function understood(
  call: Call,
  reply: Done,
  read: ((body: unknown) => unknown) | undefined,
): CallResult<unknown> {
  if (read) {
    const answer = read(reply.answer)
    return answer === null ? notOurs : { ...reply, answer }
  }
  if (call.answer === null) return { ...reply, answer: undefined }
  const answer = v.safeParse(call.answer, reply.answer)
  return answer.success ? { ...reply, answer: answer.output } : notOurs
}

const notOurs = { kind: 'later', why: 'server', retryAfterMs: null, reached: true } as const
