import type { Entry } from '#schema/disk/entry'
import type { HttpReply } from '../network/http.ts'
import type { AnyRule, Delivery, QueuedCommand } from '../noun.ts'
import { queued } from './accept.ts'
import type { OutboxState } from './state.ts'

type Later = Extract<HttpReply, { readonly kind: 'later' }>
type SendOne = (delivery: Delivery) => Promise<HttpReply>

/** The reply, and the version of the entry that it answers. */
export interface Exchanged {
  readonly reply: HttpReply
  readonly version: QueuedCommand<unknown>
}

/**
 * Sends one entry. If the server ignores keys, looks for an earlier result first [API 19]. If it
 * answers 422, an older version arrived: sends that one again to get its answer.
 */
export async function exchangeOne(
  send: SendOne,
  rule: AnyRule,
  entry: Entry,
  one: QueuedCommand<unknown>,
  book: OutboxState,
  now: () => number,
): Promise<Exchanged> {
  const { keysKept } = book.meta
  const older = entry.tried.map(({ payload, at }) => ({
    at,
    version: queued({ ...entry, payload }),
  }))
  const tried = [{ at: entry.triedAt, version: one }, ...older].filter(({ at }) => at > 0)
  const look = (): Promise<Exchanged | null> =>
    entry.doubt ? lookBack(send, rule, one, tried, book, now) : Promise.resolve(null)
  const before = keysKept ? null : await look()
  if (before) return before
  const reply = await send(rule.deliver(one))
  // A server that keeps keys answers what had arrived as it did then: it is none, or nothing had.
  const instead = keysKept && reply.kind === 'refused' && !isTaken(reply) ? await look() : null
  if (instead) return instead
  if (!isTaken(reply)) return { reply, version: one }
  for (const { version } of older) {
    const again = version && (await send(rule.deliver(version)))
    if (again && !isTaken(again)) return { reply: again, version }
  }
  return { reply, version: one }
}

interface Tried {
  readonly at: number
  readonly version: QueuedCommand<unknown> | null
}

/** What a try may have done, where it would show; null: nothing is there. */
async function lookBack(
  send: SendOne,
  rule: AnyRule,
  one: QueuedCommand<unknown>,
  tried: readonly Tried[],
  { meta }: OutboxState,
  now: () => number,
): Promise<Exchanged | null> {
  for (const { at, version } of tried) {
    const look = version && rule.readBack?.(version)
    if (!look) continue
    const there = await send(look)
    if (there.kind === 'later') return { reply: unread(there), version: one }
    if (there.kind === 'signed-out') return { reply: there, version: one }
    if (there.kind !== 'done') continue
    const skew = there.at === undefined || there.at === null ? 0 : there.at - now()
    const found = look.found(there.answer, { claimed: new Set(meta.claimed), triedAt: at + skew })
    if (found === null)
      return { reply: unread({ why: 'server', retryAfterMs: null }), version: one }
    if (found !== undefined) return { reply: { kind: 'done', answer: found }, version }
  }
  return null
}

/** Only the lookup failed: the entry itself was not sent, so this is not a try. */
function unread({ why, retryAfterMs }: Pick<Later, 'why' | 'retryAfterMs'>): Later {
  return { kind: 'later', why, retryAfterMs, reached: false }
}

/** The server has other content under this key [API 2]. */
function isTaken(reply: HttpReply): boolean {
  return reply.kind === 'refused' && reply.problem.code === 'idempotency_key_reused'
}
