import type { Entry } from '#schema/disk/entry'
import { RETRY_AFTER_MAX_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import * as outcome from '#schema/port/outcome'
import { members } from '#schema/tolerant'
import type { Exchange, HttpReply } from '../network/http.ts'
import { causeOf, Waits } from '../network/backoff.ts'
import type {
  AnyRule,
  AnyStep,
  CommandRules,
  Delivery,
  IdMapping,
  Progress,
  QueuedCommand,
} from '../noun.ts'
import { coalesced } from '../coalesce.ts'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { parkedCopy, queued, ruleOf, weight } from './accept.ts'
import { type OutboxState, entryOf, tokenOf, withEntries } from './state.ts'
import { exchangeOne } from './exchange.ts'
import { loaded, probeOf } from './load.ts'
import { charged, costStep, overspent, paused } from './budget.ts'
import { type Batch, isHeavy, LONGEST_WAIT_MS, type Schedule, schedule } from './lanes.ts'
import {
  acknowledged,
  begin,
  done,
  later,
  leads,
  type Transition,
  refused,
  rename,
  signedOut,
  withEntry,
} from './transitions.ts'
import type { Table } from './table.ts'

export interface DeliveryContext {
  readonly outside: Outside
  readonly table: Pick<Table, 'change'>
  readonly rules: CommandRules
  /** The state as last read or written, to see without a disk read that nothing is due; null: none. */
  known(): OutboxState | null
  send(request: Exchange): Promise<HttpReply>
  /** A stored photo; null: missing. */
  photo(id: string): Promise<unknown>
  /** Whether the network seems to be available. */
  usable(): boolean
  wifi(): boolean
  /** These entries are done or refused: update their documents. */
  settle(ids: readonly string[]): Promise<void>
  /** The server rejected this token. */
  ended(token: string): void
  leadershipLost(): void
}

/** One request in flight per lane. */
const LANES_AT_ONCE = 4
const DISK_RETRY_MS = 2000
const LOW_PRIORITY_MAX_AGE_MS = 7 * 24 * 3_600_000

/**
 * Sends one owner's entries while this tab leads ([SYNC 5], step 3). A later leader has a higher
 * fencing number, and updates of this one are then rejected.
 */
export class Delivering {
  readonly #context: DeliveryContext
  readonly #owner: string
  readonly #fence: number
  /** By entries, since a lane may be renamed while it is in flight. */
  readonly #flights = new Map<Batch, Promise<void>>()
  #stopped = false
  readonly #timer: Timer
  /** Until waits are shortened that the disk did not take. */
  readonly #answeredTimer: Timer
  #laneWaitsForTime = true
  #recoveries = 0
  readonly #waits: Waits

  constructor(context: DeliveryContext, owner: string, fence: number) {
    this.#context = context
    this.#owner = owner
    this.#fence = fence
    this.#timer = new Timer(context.outside)
    this.#answeredTimer = new Timer(context.outside)
    this.#waits = new Waits(context.outside, RETRY_ENTRY_MAX_MS)
  }

  /** Starts every delivery that is due. Resolves when all of them have started. */
  readonly wake = coalesced(async () => {
    this.#timer.stop()
    this.#laneWaitsForTime = true
    if (this.#stopped || !this.#context.usable()) return
    try {
      const wakeAt = await this.#startDue()
      this.#laneWaitsForTime = wakeAt !== null
      if (wakeAt !== null) this.#wakeIn(Math.max(0, wakeAt - this.#context.outside.now()))
    } catch (error) {
      console.warn('outbox', error)
      this.#wakeIn(DISK_RETRY_MS)
    }
  })

  /** Entries that wait for the network or the server retry soon. */
  async serverAnswered(): Promise<void> {
    this.#recoveries += 1
    // Nothing to do at each answer when no lane waits.
    if (!this.#stopped && this.#laneWaitsForTime) await this.#shortenWaits(() => true)
  }

  /** Starts nothing more. Resolves when nothing is in flight. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer.stop()
    this.#answeredTimer.stop()
    await Promise.all(this.#flights.values())
  }

  /** Resolves when nothing is in flight or due: the rest waits for time, network or the user. */
  async idle(): Promise<void> {
    do {
      await Promise.all(this.#flights.values())
      await this.wake()
    } while (this.#flights.size > 0)
  }

  #wakeIn(ms: number): void {
    if (!this.#stopped) this.#timer.start(ms, () => void this.wake())
  }

  /** Resolves with the time of the next due entry in ms; null: none waits for time. */
  async #startDue(): Promise<number | null> {
    const known = this.#context.known()
    if (known && leads(known, this.#owner, this.#fence)) {
      const { batches, wakeAt, lost } = this.#due(known)
      if (batches.length === 0 && lost.length === 0) return wakeAt
    }
    const begun = await this.#context.table.change((state) => this.#begin(state))
    if (begun === null) {
      // Not reported by a stopped instance: its tab may lead again under another fencing number.
      if (!this.#stopped) this.#context.leadershipLost()
      return null
    }
    for (const batch of begun.batches) {
      const flight = this.#deliver(batch, begun.state)
        .catch(async (error: unknown) => {
          // Nothing says how the try ended: `#begin` finds the entries as lost.
          console.warn('outbox', error)
          await new Promise<void>(
            (resolve) => void this.#context.outside.setTimer(DISK_RETRY_MS, resolve),
          )
        })
        .finally(() => {
          this.#flights.delete(batch)
          if (!this.#stopped) void this.wake()
        })
      this.#flights.set(batch, flight)
    }
    return begun.wakeAt
  }

  /** `lost`: marked as sending, but not in flight, as the disk failed while the outcome was written. */
  #due(state: OutboxState): Schedule & { readonly lost: readonly Entry[] } {
    if (this.#stopped || (this.#owner !== '' && tokenOf(state, this.#owner) === null))
      return { batches: [], wakeAt: null, lost: [] }
    const { outside, rules } = this.#context
    const own = state.entries.filter(({ owner }) => owner === this.#owner)
    const flying = [...this.#flights.keys()].flat()
    const ids = new Set(flying.map(({ id }) => id))
    const lanes = new Set(
      [...flying, ...own.filter(({ id }) => ids.has(id))].map(({ lane }) => lane),
    )
    const { batches, wakeAt } = schedule(own, {
      now: outside.now(),
      wifi: this.#context.wifi(),
      maxBatch: (name) => ruleOf(rules, name)?.gathered?.most ?? 1,
    })
    return {
      batches: batches
        .filter(([{ lane }]) => !lanes.has(lane))
        .slice(0, LANES_AT_ONCE - this.#flights.size),
      wakeAt,
      lost: own.filter(
        ({ state, fence, id }) => state === 'sending' && fence === this.#fence && !ids.has(id),
      ),
    }
  }

  /** Marks what is due as sending, in one transaction; null: another leader took over. */
  #begin(state: OutboxState): Transition<(Schedule & { readonly state: OutboxState }) | null> {
    if (!leads(state, this.#owner, this.#fence)) return { state, result: null }
    const due = this.#due(state)
    const found = due.lost.reduce(
      (next, { id }) => later(next, id, 'storage', 0, { reached: false, uncertain: true }),
      state,
    )
    const { batches, wakeAt } = found === state ? due : this.#due(found)
    const ids = batches.flat().map(({ id }) => id)
    const begun =
      ids.length === 0
        ? found
        : begin(found, ids, this.#owner, this.#fence, this.#context.outside.now()).state
    return { state: begun, result: { batches, wakeAt, state: begun } }
  }

  async #deliver(batch: Batch, begun: OutboxState): Promise<void> {
    const { table, rules } = this.#context
    // The content changed since the last failure, so the backoff restarts.
    for (const { id, triedAt } of batch) if (triedAt === 0) this.#waits.succeeded(id)
    const [entry] = batch
    const rule = ruleOf(rules, entry.name)
    const commands = batch.flatMap((one) => queued(one) ?? [])
    const token = tokenOf(begun, this.#owner)
    let bytes = 0
    const recoveries = this.#recoveries
    const { reply, versions } =
      rule && commands.length === batch.length
        ? await this.#exchange(rule, entry, commands, token, begun, (more) => void (bytes += more))
        : { reply: unreadable, versions: [] }
    const ended = await table.change((state) =>
      this.#recordOutcome(state, batch, versions, rule, reply, token, bytes / batch.length),
    )
    if (ended.length > 0) await this.#context.settle(ended)
    // An answer that arrived while this entry was in flight could not shorten its wait.
    if (reply.kind === 'later' && this.#recoveries > recoveries && !this.#stopped)
      await this.#shortenWaits(({ id }) => batch.some((one) => one.id === id))
    if (reply.kind === 'signed-out' && token !== null) this.#context.ended(token)
  }

  /**
   * Sends a batch where the rule allows one, else one entry. A version is one payload that was sent
   * under the entry's key.
   */
  async #exchange(
    rule: AnyRule,
    entry: Entry,
    commands: readonly QueuedCommand<unknown>[],
    token: string | null,
    state: OutboxState,
    onBytesSent: (bytes: number) => void,
  ): Promise<{ readonly reply: HttpReply; readonly versions: readonly QueuedCommand<unknown>[] }> {
    const { send, photo, outside } = this.#context
    const deliver = async (delivery: Delivery): Promise<HttpReply> => {
      const sent = await loaded(delivery, entry.id, token, state, photo)
      // Parked with its text, so that the user can add the photo again.
      return sent === null ? outcome.refused('photo_gone') : send({ ...sent, onBytesSent })
    }
    if (isHeavy(entry) && entry.spent) {
      const answer = await send({ ...probeOf(token, state), onBytesSent })
      if (answer.kind === 'later')
        return { reply: { ...answer, reached: false }, versions: commands }
    }
    const [command] = commands
    if (!command || (rule.gathered && commands.length > 1))
      return {
        reply: rule.gathered ? await deliver(rule.gathered.deliver(commands)) : unreadable,
        versions: commands,
      }
    const { reply, version } = await exchangeOne(deliver, rule, entry, command, state, outside.now)
    return { reply, versions: [version] }
  }

  /** Returns the ids of entries that are done or refused. */
  #recordOutcome(
    state: OutboxState,
    batch: Batch,
    versions: readonly QueuedCommand<unknown>[],
    rule: AnyRule | null,
    reply: HttpReply,
    token: string | null,
    bytes: number,
  ): Transition<readonly string[]> {
    if (!leads(state, this.#owner, this.#fence)) return { state, result: [] }
    const { outside } = this.#context
    let next = state
    const ended: string[] = []
    for (const [index, entry] of batch.entries()) {
      const { id } = entry
      const now = entryOf(next, id)
      // Its echo came first.
      if (!now || now.state === 'acknowledged') continue
      const version = versions[index]
      const step = version && rule?.deliver(version)
      const verdict = step ? judge(step, reply) : unreadable
      if (verdict.kind !== 'later') this.#waits.succeeded(id)
      if (verdict.kind === 'done' && version && rule) {
        const { progress, body } = verdict
        next = acknowledged(this.#openLane(next, entry), id, body, progress, step)
        if (isOlder(version, entry)) {
          const copy = outside.newId()
          next = keepNewestForUser(next, entry, version, copy, rule, outside.now())
          ended.push(copy)
        }
        if ('next' in progress) next = queueNextStep(next, entry, progress)
        else ended.push(id)
      } else if (verdict.kind === 'later') {
        next = this.#scheduleRetry(next, entry, rule, verdict, bytes)
        if (entryOf(next, id)?.state === 'refused') ended.push(id)
      } else if (verdict.kind === 'refused') {
        next = rule?.silent ? done(next, id, null, null) : refused(next, id, verdict.problem)
        ended.push(id)
      } else {
        const again = (notBefore: number): OutboxState =>
          later(next, id, 'server', notBefore, { reached: true, uncertain: false })
        next =
          token === null
            ? again(outside.now() + LONGEST_WAIT_MS)
            : signedOut(next, this.#owner, token)
        // The user signed in again meanwhile: retry with the new token.
        if (entryOf(next, id)?.state === 'sending') next = again(0)
      }
    }
    return { state: next, result: ended }
  }

  /** A success shows that the lane works: the next entry is due as soon as the server allows. */
  #openLane(state: OutboxState, { id: doneId, owner, lane }: Entry): OutboxState {
    return withEntries(state, (entry) => {
      const { id, retryAt = 0 } = entry
      if (
        id === doneId ||
        entry.owner !== owner ||
        entry.lane !== lane ||
        entry.state !== 'waiting' ||
        entry.notBefore <= retryAt ||
        entry.low
      )
        return entry
      this.#waits.succeeded(id)
      return { ...entry, notBefore: retryAt }
    })
  }

  #scheduleRetry(
    state: OutboxState,
    entry: Entry,
    rule: AnyRule | null,
    reply: outcome.Later,
    bytes: number,
  ): OutboxState {
    const now = this.#context.outside.now()
    if (entry.low && now - entry.bornAt > LOW_PRIORITY_MAX_AGE_MS)
      return withEntry(state, entry.id, () => null)
    const spent = charged(entry, bytes, now)
    const step = isHeavy({ bytes }) ? costStep(entry, spent) : 0
    const wait = this.#waits.failed(entry.id, causeOf(reply.why), reply.retryAfterMs, {
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
    return withEntry(waiting, entry.id, (one) => ({ ...one, spent, retryAt }))
  }

  async #shortenWaits(which: (entry: Entry) => boolean): Promise<void> {
    const shortened = new Map<string, number>()
    const canGoSooner = (entry: Entry): boolean => {
      if (!which(entry) || this.#earliestTry(entry) >= entry.notBefore) return false
      shortened.set(entry.id, this.#waits.failures(entry.id))
      return true
    }
    const known = this.#context.known()
    if (known && !known.entries.some(canGoSooner)) return
    try {
      await this.#context.table.change((state) => ({
        state: state.entries.some(canGoSooner)
          ? withEntries(state, (entry) =>
              canGoSooner(entry) ? { ...entry, notBefore: this.#earliestTry(entry) } : entry,
            )
          : state,
        result: null,
      }))
    } catch (error) {
      console.warn('outbox', error)
      // While nothing else is sent, no other answer comes. What failed since then has a new wait.
      const isSameWait = ({ id }: Entry) => shortened.get(id) === this.#waits.failures(id)
      if (!this.#stopped)
        this.#answeredTimer.start(DISK_RETRY_MS, () => void this.#shortenWaits(isSameWait))
      return
    }
    await this.wake()
  }

  /**
   * May be called twice. Failures of another tab or an earlier run are only in the row, so they are
   * counted here first.
   */
  #earliestTry({ id, owner, state, why, notBefore, retryAt = 0, tries }: Entry): number {
    const now = this.#context.outside.now()
    if (owner !== this.#owner || state !== 'waiting' || why === null || notBefore <= now)
      return notBefore
    if (this.#waits.failures(id) === 0)
      this.#waits.failed(id, causeOf(why), retryAt === 0 ? null : Math.max(0, retryAt - now), {
        before: tries,
      })
    return Math.min(notBefore, now + this.#waits.recovered(id))
  }
}

type Verdict =
  | {
      readonly kind: 'done'
      readonly body: unknown
      readonly progress: Progress<unknown, unknown>
    }
  | Exclude<outcome.Outcome, { readonly kind: 'done' }>

/** Parked, so that the user can still see the text of an unknown version. */
const unreadable = outcome.refused('unreadable')

function judge(step: AnyStep, reply: HttpReply): Verdict {
  if (reply.kind === 'refused') {
    const instead = step.refused?.(reply.problem, reply.status) ?? null
    if (instead === null) return reply
    const progress = instead === 'done' ? { answer: null } : { next: instead }
    return { kind: 'done', body: null, progress }
  }
  // A write is never answered by 304, and a body of another format is a captive portal's.
  if (reply.kind === 'unchanged') return outcome.later('server', true)
  if (reply.kind !== 'done') return reply
  const body = reply.answer
  const progress = step.answer(body)
  return progress ? { kind: 'done', body, progress } : outcome.later('server', true)
}

function isOlder({ payload }: QueuedCommand<unknown>, entry: Entry): boolean {
  const newest = queued(entry)
  return newest !== null && JSON.stringify(newest.payload) !== JSON.stringify(payload)
}

/**
 * The server took an older payload, so the entry gets that payload. The newest content becomes a
 * refused entry of its own, and the user decides.
 */
function keepNewestForUser(
  state: OutboxState,
  entry: Entry,
  older: QueuedCommand<unknown>,
  id: string,
  rule: AnyRule,
  now: number,
): OutboxState {
  const { name, payload } = rule.change?.followUp?.(queued(entry)?.payload) ?? entry
  const settled = withEntry(state, entry.id, (one) => ({
    ...one,
    payload: members(older.payload),
    tried: [],
  }))
  return parkedCopy(settled, { ...entry, name, payload: members(payload) }, id, now)
}

/**
 * Queues the next step of an entry, with no tries yet. `wifiOnly` is left as it is: the user may
 * have changed it meanwhile.
 */
function queueNextStep(
  state: OutboxState,
  { id, owner }: Entry,
  { next: payload, created }: { readonly next: unknown; readonly created?: IdMapping },
): OutboxState {
  const waiting = withEntry(state, id, (one) => ({
    ...one,
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
