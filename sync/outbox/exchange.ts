import type { Entry } from '#schema/disk/entry'
import { later } from '#schema/port/outcome'
import { members } from '#schema/tolerant'
import type { Exchange, HttpReply } from '../network/http.ts'
import type { AnyRule, Delivery, QueuedCommand } from '../noun.ts'
import { queued } from './accept.ts'
import type { OutboxState } from './state.ts'

interface Exchanged {
  readonly reply: HttpReply
  readonly version: QueuedCommand
}

/**
 * A server that ignores keys is asked for an earlier result first [API 19]. After a 422 an older
 * version has arrived: it is sent again for its answer.
 */
export async function exchangeOne(
  send: (delivery: Delivery) => Promise<HttpReply>,
  rule: AnyRule,
  entry: Entry,
  command: QueuedCommand,
  { meta }: OutboxState,
  now: () => number,
): Promise<Exchanged> {
  const older = entry.tried.map(({ payload, at }) => ({
    at,
    version: queued({ ...entry, payload }),
  }))
  const tried = [{ at: entry.triedAt, version: command }, ...older].filter(({ at }) => at > 0)
  const lookUp = async (): Promise<Exchanged | null> => {
    for (const { at, version } of entry.uncertain ? tried : []) {
      const lookup = version && rule.deliver(version).keyless?.lookup
      if (!lookup) continue
      const reply = await send(lookup)
      // Only the lookup failed: the entry was not sent.
      if (reply.kind === 'later') return { reply: { ...reply, reached: false }, version: command }
      if (reply.kind === 'signed-out') return { reply, version: command }
      if (reply.kind !== 'done') continue
      const skew = (reply.at ?? now()) - now()
      const found = lookup.found(reply.answer, {
        matchedServerIds: new Set(meta.claimed),
        triedAt: at + skew,
      })
      if (found === null) return { reply: later('server', false), version: command }
      if (found !== undefined) return { reply: { kind: 'done', answer: found }, version }
    }
    return null
  }
  const before = meta.keysKept ? null : await lookUp()
  if (before) return before
  const reply = await send(rule.deliver(command))
  if (!isTaken(reply)) {
    // A server that honours keys repeats a success. If it refuses, it ignores keys now or no try
    // arrived.
    const earlier = meta.keysKept && reply.kind === 'refused' ? await lookUp() : null
    return earlier ?? { reply, version: command }
  }
  for (const { version } of older) {
    const again = version && (await send(rule.deliver(version)))
    if (again && !isTaken(again)) return { reply: again, version }
  }
  return { reply, version: command }
}

/** Other content has this key [API 2]. */
function isTaken(reply: HttpReply) {
  return reply.kind === 'refused' && reply.problem.code === 'idempotency_key_reused'
}

export async function requestOf(
  delivery: Delivery,
  key: string,
  photo: (id: string) => Promise<unknown>,
): Promise<Omit<Exchange, 'authContext'> | null> {
  const { files = [], ...rest } = delivery
  const body = files.length === 0 ? delivery.body : await formOf(delivery.body, files, photo)
  if (body === null) return null
  return { ...rest, body, ...(delivery.call.keyed ? { key: delivery.key ?? key } : {}) }
}

/** In a fixed order, on which the server's fingerprint depends [D99]. */
async function formOf(
  fields: unknown,
  files: NonNullable<Delivery['files']>,
  photo: (id: string) => Promise<unknown>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(members(fields))) {
    if (value !== null && value !== undefined)
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  for (const { name, photo: id } of files) {
    const file = await photo(id)
    if (!(file instanceof Blob)) return null
    form.append(name, file, `${id}.jpg`)
  }
  return form
}
