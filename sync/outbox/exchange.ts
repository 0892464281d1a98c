import type { Entry } from '#schema/disk/entry'
import { later } from '#schema/port/outcome'
import type { HttpReply } from '../network/http.ts'
import type { AnyRule, Delivery, QueuedCommand } from '../noun.ts'
import { queued } from './accept.ts'
import type { OutboxState } from './state.ts'

type SendOne = (delivery: Delivery) => Promise<HttpReply>

/** A version is one payload that was sent under the entry's key; `version`: the one answered. */
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
  command: QueuedCommand<unknown>,
  state: OutboxState,
  now: () => number,
): Promise<Exchanged> {
  const { keysKept: serverKeepsKeys } = state.meta
  const older = entry.tried.map(({ payload, at }) => ({
    at,
    version: queued({ ...entry, payload }),
  }))
  const tried = [{ at: entry.triedAt, version: command }, ...older].filter(({ at }) => at > 0)
  const lookUp = (): Promise<Exchanged | null> =>
    entry.uncertain ? findEarlier(send, rule, command, tried, state, now) : Promise.resolve(null)
  const before = serverKeepsKeys ? null : await lookUp()
  if (before) return before
  const reply = await send(rule.deliver(command))
  // A server that keeps keys repeats its earlier answer. A refusal means that it ignores keys, or
  // that nothing had arrived.
  const earlier =
    serverKeepsKeys && reply.kind === 'refused' && !isTaken(reply) ? await lookUp() : null
  if (earlier) return earlier
  if (!isTaken(reply)) return { reply, version: command }
  for (const { version } of older) {
    const again = version && (await send(rule.deliver(version)))
    if (again && !isTaken(again)) return { reply: again, version }
  }
  return { reply, version: command }
}

interface Tried {
  readonly at: number
  readonly version: QueuedCommand<unknown> | null
}

/** Looks on the server for the effect of an earlier try; null: there is none. */
async function findEarlier(
  send: SendOne,
  rule: AnyRule,
  command: QueuedCommand<unknown>,
  tried: readonly Tried[],
  { meta }: OutboxState,
  now: () => number,
): Promise<Exchanged | null> {
  for (const { at, version } of tried) {
    const lookup = version && rule.deliver(version).keyless?.lookup
    if (!lookup) continue
    const reply = await send(lookup)
    // Only the lookup failed: the entry itself was not sent, so this is not a try.
    if (reply.kind === 'later') return { reply: { ...reply, reached: false }, version: command }
    if (reply.kind === 'signed-out') return { reply, version: command }
    if (reply.kind !== 'done') continue
    const skew = typeof reply.at === 'number' ? reply.at - now() : 0
    const found = lookup.found(reply.answer, {
      matchedServerIds: new Set(meta.claimed),
      triedAt: at + skew,
    })
    if (found === null) return { reply: later('server', false), version: command }
    if (found !== undefined) return { reply: { kind: 'done', answer: found }, version }
  }
  return null
}

/** The server has other content under this key [API 2]. */
function isTaken(reply: HttpReply): boolean {
  return reply.kind === 'refused' && reply.problem.code === 'idempotency_key_reused'
}
