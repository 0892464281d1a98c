import type { Entry } from '#schema/disk/entry'
import { DAY_MS, RETRY_AFTER_MAX_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import * as outcome from '#schema/port/outcome'
import { members } from '#schema/tolerant'
import { ME_PATH } from '#schema/wire/session'
import type { Exchange, HttpReply } from '../network/http.ts'
import { causeOf, createWaits } from '../network/backoff.ts'
import type { AnyRule, AnyStep, CommandRules, Delivery, Progress, QueuedCommand } from '../noun.ts'
import { coalesced } from '../turns.ts'
import type { Outside } from '../outside.ts'
import { sleep, Timer } from '../within.ts'
import { parkedCopy, queued, ruleOf, weight } from './accept.ts'
import { type OutboxState, entryOf, tokenOf, withEntries, withEntry } from './state.ts'
import { exchangeOne, requestOf } from './exchange.ts'
import { charged, costStep, overspent, paused } from './budget.ts'
import { type Batch, isHeavy, schedule } from './lanes.ts'
import {
  acknowledged,
  begin,
  done,
  later,
  leads,
  refused,
  rename,
  signedOut,
} from './transitions.ts'
import type { Table } from './table.ts'

export interface DeliveryContext {
  readonly outside: Outside
  readonly table: Pick<Table, 'change'>
  readonly rules: CommandRules
  /** The state read last: shows without a disk read that nothing is due. */
  known(): OutboxState | null
  send(request: Exchange): Promise<HttpReply>
  photo(id: string): Promise<unknown>
  usable(): boolean
  wifi(): boolean
  settle(ids: readonly string[]): Promise<void>
  ended(token: string): void
  leadershipLost(): void
}

const LANES_AT_ONCE = 4
const DISK_RETRY_MS = 2000
const LOW_PRIORITY_MAX_AGE_MS = 7 * DAY_MS

export type Delivering = ReturnType<typeof createDelivering>

/** [SYNC 5], step 3, for one owner. */
export function createDelivering(context: DeliveryContext, owner: string, fence: number) {
  const { outside, table, rules } = context
  /** By batch, since a lane may be renamed while it is in flight. */
  const flights = new Map<Batch, Promise<void>>()
  const timer = new Timer(outside)
  const waits = createWaits(outside, RETRY_ENTRY_MAX_MS)
  let isStopped = false
  let recoveries = 0

  const wake = coalesced(async () => {
    timer.stop()
    if (isStopped || !context.usable()) return
    try {
      const wakeAt = await startDue()
      if (wakeAt !== null) wakeIn(Math.max(0, wakeAt - outside.now()))
    } catch (error) {
      console.warn('outbox', error)
      wakeIn(DISK_RETRY_MS)
    }
  })

  async function serverAnswered() {
    recoveries += 1
    const now = outside.now()
    for (const entry of context.known()?.entries ?? []) {
      const { id, why, tries: before, retryAt = 0 } = entry
      if (entry.owner !== owner || entry.state !== 'waiting') continue
      if (why === null || entry.notBefore <= now) continue
      // Failures in another tab or an earlier run are known only from the entry.
      if (waits.failures(id) === 0)
        waits.failed(id, causeOf(why), Math.max(0, retryAt - now), { before })
      waits.recovered(id)
    }
    await wake()
  }

  async function stop() {
    isStopped = true
    timer.stop()
    await Promise.all(flights.values())
  }

  async function idle() {
    do {
      await Promise.all(flights.values())
      await wake()
    } while (flights.size > 0)
  }

  function wakeIn(ms: number) {
    if (!isStopped) timer.start(ms, () => void wake())
  }

  async function startDue() {
    const known = context.known()
    if (known && leads(known, owner, fence) && !known.entries.some(isSooner)) {
      const { batches, wakeAt, lost } = dueIn(known)
      if (batches.length === 0 && lost.length === 0) return wakeAt
    }
    const begun = await table.change(markDue)
    if (begun === null) {
      // After `stop` this tab may lead again under a newer fence: leadership is not lost.
      if (!isStopped) context.leadershipLost()
      return null
    }
    for (const batch of begun.batches) {
      const flight = deliver(batch, begun.state)
        .catch(async (error: unknown) => {
          // The entries stay `sending`; the next `markDue` makes them wait again (`lost`).
          console.warn('outbox', error)
          await sleep(outside.setTimer, DISK_RETRY_MS)
        })
        .finally(() => {
          flights.delete(batch)
          if (!isStopped) void wake()
        })
      flights.set(batch, flight)
    }
    return begun.wakeAt
  }

  /** `lost`: `sending` without a request, since the disk failed to store its outcome. */
  function dueIn(state: OutboxState) {
    if (isStopped || (owner !== '' && tokenOf(state, owner) === null))
      return { batches: [], wakeAt: null, lost: [] }
    const own = state.entries.filter((entry) => entry.owner === owner)
    const flying = [...flights.keys()].flat()
    const ids = new Set(flying.map(({ id }) => id))
    const lanes = new Set(
      [...flying, ...own.filter(({ id }) => ids.has(id))].map(({ lane }) => lane),
    )
    const { batches, wakeAt } = schedule(own, {
      now: outside.now(),
      wifi: context.wifi(),
      maxBatch: (name) => ruleOf(rules, name)?.gathered?.most ?? 1,
    })
    return {
      batches: batches
        .filter(([{ lane }]) => !lanes.has(lane))
        .slice(0, LANES_AT_ONCE - flights.size),
      wakeAt,
      lost: own.filter(
        (entry) => entry.state === 'sending' && entry.fence === fence && !ids.has(entry.id),
      ),
    }
  }

  function markDue(state: OutboxState) {
    if (!leads(state, owner, fence)) return { state, result: null }
    const shortened = state.entries.some(isSooner)
      ? withEntries(state, isSooner, (entry) => ({ notBefore: earliestTry(entry) }))
      : state
    const due = dueIn(shortened)
    const found = due.lost.reduce(
      (next, { id }) => later(next, id, 'storage', 0, { reached: false, uncertain: true }),
      shortened,
    )
    const { batches, wakeAt } = found === shortened ? due : dueIn(found)
    const ids = batches.flat().map(({ id }) => id)
    const begun = ids.length === 0 ? found : begin(found, ids, fence, outside.now())
    return { state: begun, result: { batches, wakeAt, state: begun } }
  }

  async function deliver(batch: Batch, begun: OutboxState) {
    // `triedAt` 0: new, or changed since the last failure. The backoff starts anew.
    for (const { id, triedAt } of batch) if (triedAt === 0) waits.succeeded(id)
    const rule = ruleOf(rules, batch[0].name)
    const token = tokenOf(begun, owner)
    const { language, sessionId } = begun.meta
    let bytes = 0
    const before = recoveries
    const { reply, versions } = await exchange(rule, batch, begun, (request) =>
      context.send({
        ...request,
        authContext: { token, language, sessionId },
        onBytesSent: (more) => void (bytes += more),
      }),
    )
    const ended = await table.change((state) =>
      recordOutcome(state, batch, versions, rule, reply, token, bytes / batch.length),
    )
    if (ended.length > 0) await context.settle(ended)
    // The server answered another request meanwhile, before this wait began.
    if (reply.kind === 'later' && recoveries > before)
      for (const { id } of batch) waits.recovered(id)
    if (reply.kind === 'signed-out' && token !== null) context.ended(token)
  }

  async function exchange(
    rule: AnyRule | null,
    batch: Batch,
    state: OutboxState,
    send: (request: Omit<Exchange, 'authContext'>) => Promise<HttpReply>,
  ) {
    const [entry] = batch
    const versions = batch.flatMap((one) => queued(one) ?? [])
    const [command] = versions
    if (!rule || !command || versions.length < batch.length)
      return { reply: unreadable, versions: [] }
    const sendOne = async (delivery: Delivery) => {
      const request = await requestOf(delivery, entry.id, context.photo)
      // A refusal, so that the user adds the photo again.
      return request === null ? outcome.refused('photo_gone') : send(request)
    }
    if (isHeavy(entry) && entry.spent) {
      // After a costly failure a small request goes first, which only our server answers.
      const reply = await send({ call: { method: 'GET', path: ME_PATH } })
      if (reply.kind === 'later') return { reply: { ...reply, reached: false }, versions }
    }
    if (rule.gathered && versions.length > 1)
      return { reply: await sendOne(rule.gathered.deliver(versions)), versions }
    const { reply, version } = await exchangeOne(sendOne, rule, entry, command, state, outside.now)
    return { reply, versions: [version] }
  }

  function recordOutcome(
    state: OutboxState,
    batch: Batch,
    versions: readonly QueuedCommand[],
    rule: AnyRule | null,
    reply: HttpReply,
    token: string | null,
    bytes: number,
  ) {
    if (!leads(state, owner, fence)) return { state, result: [] }
    let next = state
    const ended: string[] = []
    for (const [index, entry] of batch.entries()) {
      const { id } = entry
      const now = entryOf(next, id)
      // An event or a list acknowledged it first (`echoed` in outbox.ts).
      if (!now || now.state === 'acknowledged') continue
      const version = versions[index]
      const step = version && rule?.deliver(version)
      const verdict = step ? judge(step, reply) : unreadable
      if (verdict.kind !== 'later') waits.succeeded(id)
      if (verdict.kind === 'done' && rule && version && step) {
        const { progress, body } = verdict.answer
        next = acknowledged(openLane(next, entry), id, body, progress, step)
        const newest = queued(entry)?.payload ?? version.payload
        if (JSON.stringify(newest) !== JSON.stringify(version.payload)) {
          // The entry gets the payload that the server took, and the newest is parked.
          const payload = members(version.payload)
          next = withEntry(next, id, () => ({ payload, tried: [] }))
          const copy = outside.newId()
          next = parkedCopy(next, entry, copy, outside.now(), rule.change?.followUp?.(newest))
          ended.push(copy)
        }
        if ('next' in progress) next = queueNextStep(next, entry, progress)
        else ended.push(id)
      } else if (verdict.kind === 'later') {
        next = scheduleRetry(next, entry, rule, verdict, bytes)
        if (entryOf(next, id)?.state === 'refused') ended.push(id)
      } else if (verdict.kind === 'refused') {
        next = rule?.silent ? done(next, id, null, null) : refused(next, id, verdict.problem)
        ended.push(id)
      } else if (token !== null) {
        next = signedOut(next, owner, token)
        // Still `sending`: the user has signed in again meanwhile.
        if (entryOf(next, id)?.state === 'sending')
          next = later(next, id, 'server', 0, { reached: true, uncertain: false })
      }
    }
    return { state: next, result: ended }
  }

  /** After a success the lane's other entries wait for Retry-After only. */
  function openLane(state: OutboxState, done: Entry) {
    return withEntries(
      state,
      (entry) =>
        entry.id !== done.id &&
        entry.owner === owner &&
        entry.lane === done.lane &&
        entry.state === 'waiting' &&
        entry.notBefore > (entry.retryAt ?? 0) &&
        !entry.low,
      ({ id, retryAt = 0 }) => {
        waits.succeeded(id)
        return { notBefore: retryAt }
      },
    )
  }

  function scheduleRetry(
    state: OutboxState,
    entry: Entry,
    rule: AnyRule | null,
    reply: outcome.Later,
    bytes: number,
  ) {
    const now = outside.now()
    if (entry.low && now - entry.bornAt > LOW_PRIORITY_MAX_AGE_MS)
      return withEntry(state, entry.id, () => null)
    const spent = charged(entry, bytes, now)
    const step = isHeavy({ bytes }) ? costStep(entry, spent) : 0
    const wait = waits.failed(entry.id, causeOf(reply.why), reply.retryAfterMs, {
      before: entry.tries,
      step,
    })
    const waiting = later(state, entry.id, reply.why, now + wait, {
      reached: reply.reached,
      uncertain: reply.why !== 'limit',
    })
    const question = rule?.silent ? null : overspent(entry, spent, bytes)
    if (question !== null) return paused(waiting, entry.id, question, spent)
    const after = reply.retryAfterMs
    const retryAt = after === null ? 0 : now + Math.min(RETRY_AFTER_MAX_MS, after)
    return withEntry(waiting, entry.id, () => ({ spent, retryAt }))
  }

  function earliestTry({ id }: Entry) {
    return outside.now() + waits.left(id)
  }

  /** The wait became shorter and is not stored yet. */
  function isSooner(entry: Entry) {
    return (
      entry.state === 'waiting' &&
      waits.failures(entry.id) > 0 &&
      earliestTry(entry) < entry.notBefore
    )
  }

  return { wake, serverAnswered, stop, idle }
}

type Verdict = outcome.Outcome<{ readonly body: unknown; readonly progress: Progress }>

/** The entry is parked, so that the user still sees its text. */
const unreadable = outcome.refused('unreadable')

function judge(step: AnyStep, reply: HttpReply): Verdict {
  if (reply.kind === 'refused') {
    const instead = step.refused?.(reply.problem, reply.status) ?? null
    if (instead === null) return reply
    const progress = instead === 'done' ? { answer: null } : { next: instead }
    return { kind: 'done', answer: { body: null, progress } }
  }
  // The server never answers a write by 304. A body of another format is a captive portal's.
  if (reply.kind === 'unchanged') return outcome.later('server', true)
  if (reply.kind !== 'done') return reply
  const body = reply.answer
  const progress = step.answer(body)
  return progress ? { kind: 'done', answer: { body, progress } } : outcome.later('server', true)
}

/** Keeps `wifiOnly`, which the user may have changed meanwhile. */
function queueNextStep(
  state: OutboxState,
  { id, owner }: Entry,
  { next: payload, created }: Extract<Progress, { readonly next: unknown }>,
) {
  const waiting = withEntry(state, id, (one) => ({
    payload: { ...one.payload, ...members(payload) },
    bytes: weight(payload).bytes,
    state: 'waiting',
    answer: null,
    triedAt: 0,
    tried: [],
    tries: 0,
    spent: undefined,
  }))
  return created ? rename(waiting, owner, created) : waiting
}
