import type { Entry, WaitReason } from '#schema/disk/entry'
import { RETRY_AFTER_MAX_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import type { Problem } from '#schema/wire/problem'
import type { HttpReply } from '../network/http.ts'
import { causeOf, Waits } from '../network/backoff.ts'
import type { AnyRule, AnyStep, CommandRules, Delivery, IdMapping, QueuedCommand } from '../noun.ts'
import { coalesced } from '../coalesce.ts'
import type { Outside } from '../outside.ts'
import { membersOf, parkedCopy, queued, ruleOf, weight } from './accept.ts'
import { type OutboxState, remembered, tokenOf, withMeta, withEntries } from './state.ts'
import { exchangeOne } from './exchange.ts'
import { charged, costStep, overspent, paused } from './budget.ts'
import { isHeavy, LONGEST_WAIT_MS, schedule } from './lanes.ts'
import {
  begin,
  done,
  later,
  leads,
  type Transition,
  refused,
  rename,
  signedOut,
} from './transitions.ts'
import type { Table } from './table.ts'

/** Sends a request with the owner's token and the entry's key. */
export type Send = (
  delivery: Delivery,
  key: string,
  token: string | null,
  state: OutboxState,
  onBytesSent: (bytes: number) => void,
) => Promise<HttpReply>

export interface DeliveryContext {
  readonly outside: Outside
  readonly table: Table
  readonly rules: CommandRules
  readonly send: Send
  /** A small request that shows whether the server answers. */
  probe(
    token: string | null,
    state: OutboxState,
    onBytesSent: (bytes: number) => void,
  ): Promise<HttpReply>
  /** Whether the network seems to be available. */
  usable(): boolean
  wifi(): boolean
  outboxChanged(): void
  /** These entries are done or refused: update their documents. */
  entriesEnded(ids: readonly string[]): Promise<void>
  signedOut(owner: string, token: string): void
  /** Another leader took over. */
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
  readonly #busyLanes = new Set<string>()
  #stopped = false
  #cancelTimer: (() => void) | null = null
  #laneWaitsForTime = true
  #recoveries = 0
  readonly #waits: Waits

  constructor(context: DeliveryContext, owner: string, fence: number) {
    this.#context = context
    this.#owner = owner
    this.#fence = fence
    this.#waits = new Waits(context.outside, RETRY_ENTRY_MAX_MS)
  }

  /** Starts every delivery that is due. Resolves when all of them have started. */
  readonly wake = coalesced(() =>
    this.#startDue().catch((error: unknown) => this.#startDueLater(error)),
  )

  /** Entries that wait for the network or the server retry soon. */
  async serverAnswered(): Promise<void> {
    this.#recoveries += 1
    // Avoid a disk read at each answer when no lane waits.
    if (!this.#stopped && this.#laneWaitsForTime) await this.#shortenWaits(() => true)
  }

  async #shortenWaits(which: (entry: Entry) => boolean): Promise<void> {
    const { table } = this.#context
    const canGoSooner = (entry: Entry): boolean =>
      which(entry) && this.#earliestTry(entry) < entry.notBefore
    if (!(await table.read()).entries.some(canGoSooner)) return
    await table.change((state) => ({
      state: withEntries(state, (entry) =>
        canGoSooner(entry) ? { ...entry, notBefore: this.#earliestTry(entry) } : entry,
      ),
      result: null,
    }))
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

  /** Starts nothing more. Resolves when nothing is in flight. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelTimer?.()
    await Promise.all(this.#inFlight)
  }

  /** Resolves when nothing is in flight or due: the rest waits for time, network or the user. */
  async idle(): Promise<void> {
    do {
      await Promise.all(this.#inFlight)
      await this.wake()
    } while (this.#inFlight.size > 0)
  }

  readonly #inFlight = new Set<Promise<void>>()

  async #startDue(): Promise<void> {
    const { outside, table, rules } = this.#context
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#laneWaitsForTime = true
    if (this.#stopped || !this.#context.usable()) return
    const state = await table.read()
    if (this.#stopped || (this.#owner !== '' && tokenOf(state, this.#owner) === null)) return
    const now = outside.now()
    const { batches, wakeAt } = schedule(
      state.entries.filter((entry) => entry.owner === this.#owner),
      {
        now,
        wifi: this.#context.wifi(),
        maxBatch: (name) => ruleOf(rules, name)?.gathered?.most ?? 1,
      },
    )
    for (const batch of batches) {
      if (this.#busyLanes.size >= LANES_AT_ONCE) break
      const [head] = batch
      if (!head || this.#busyLanes.has(head.lane)) continue
      this.#busyLanes.add(head.lane)
      const flight = this.#deliver(batch).catch((error: unknown) =>
        this.#recordUnknownOutcome(
          batch.map((entry) => entry.id),
          error,
        ),
      )
      this.#inFlight.add(flight)
      void flight.finally(() => {
        this.#inFlight.delete(flight)
        this.#busyLanes.delete(head.lane)
        if (!this.#stopped) void this.wake()
      })
    }
    this.#laneWaitsForTime = wakeAt !== null
    if (wakeAt !== null)
      this.#cancelTimer = outside.setTimer(Math.max(0, wakeAt - now), () => void this.wake())
  }

  #startDueLater(error: unknown): void {
    console.warn('outbox', error)
    this.#cancelTimer?.()
    if (!this.#stopped)
      this.#cancelTimer = this.#context.outside.setTimer(DISK_RETRY_MS, () => void this.wake())
  }

  /**
   * The disk failed while an outcome was being written. Marks the entry 'outcome unknown', and tries
   * until the disk accepts it.
   */
  async #recordUnknownOutcome(ids: readonly string[], error: unknown): Promise<void> {
    const { outside, table } = this.#context
    console.warn('outbox', error)
    await new Promise<void>((resolve) => void outside.setTimer(DISK_RETRY_MS, resolve))
    if (this.#stopped) return
    await table
      .change((state) => ({
        state: leads(state, this.#owner, this.#fence)
          ? ids.reduce(
              (next, id) =>
                next.entries.some((one) => one.id === id && one.state === 'sending')
                  ? later(next, id, 'storage', 0, { reached: false, uncertain: true })
                  : next,
              state,
            )
          : state,
        result: null,
      }))
      .catch((again: unknown) => this.#recordUnknownOutcome(ids, again))
  }

  async #deliver(batch: readonly Entry[]): Promise<void> {
    const { table, rules, outside } = this.#context
    const ids = batch.map((entry) => entry.id)
    const begun = await table.change((state) => {
      const { state: next, result } = begin(state, ids, this.#owner, this.#fence, outside.now())
      return { state: next, result: result && { entries: result, state: next } }
    })
    if (!begun) return this.#checkLeadership()
    this.#context.outboxChanged()
    // The content changed since the last failure, so the backoff restarts.
    for (const { id, triedAt } of begun.entries) if (triedAt === 0) this.#waits.succeeded(id)
    const [entry] = begun.entries
    const rule = entry && ruleOf(rules, entry.name)
    if (!rule) return this.#park(begun.entries)
    const commands = begun.entries.flatMap((one) => queued(one) ?? [])
    const token = tokenOf(begun.state, this.#owner)
    let bytes = 0
    const recoveries = this.#recoveries
    const onBytesSent = (more: number): void => void (bytes += more)
    const { reply, sentVersions } =
      commands.length === begun.entries.length
        ? await this.#exchange(rule, entry, commands, token, begun.state, onBytesSent)
        : { reply: unreadable, sentVersions: commands }
    const bytesEach = bytes / begun.entries.length
    const result = await table.change((state) =>
      this.#recordOutcome(state, begun.entries, sentVersions, rule, reply, token, bytesEach),
    )
    if (result === 'leadership-lost') return this.#leadershipLost()
    this.#context.outboxChanged()
    if (result.length > 0) await this.#context.entriesEnded(result)
    // An answer that arrived while this entry was in flight could not shorten its wait.
    if (reply.kind === 'later' && this.#recoveries > recoveries && !this.#stopped)
      await this.#shortenWaits(({ id }) => ids.includes(id))
    if (reply.kind === 'signed-out' && token !== null) this.#context.signedOut(this.#owner, token)
  }

  /** So that the user can still see the text of an unknown version. */
  async #park(entries: readonly Entry[]): Promise<void> {
    await this.#context.table.change((state) => ({
      state: entries.reduce((next, { id }) => refused(next, id, unreadable.problem), state),
      result: null,
    }))
    this.#context.outboxChanged()
  }

  async #checkLeadership(): Promise<void> {
    const state = await this.#context.table.read()
    if (!leads(state, this.#owner, this.#fence)) this.#leadershipLost()
  }

  /** Not reported by a stopped instance: its tab may lead again under another fencing number. */
  #leadershipLost(): void {
    if (!this.#stopped) this.#context.leadershipLost()
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
  ): Promise<{
    readonly reply: HttpReply
    readonly sentVersions: readonly QueuedCommand<unknown>[]
  }> {
    const send = (delivery: Delivery): Promise<HttpReply> =>
      this.#context.send(delivery, entry.id, token, state, onBytesSent)
    const [command] = commands
    if (!command) return { reply: unreadable, sentVersions: commands }
    if (isHeavy(entry) && entry.spent) {
      const answer = await this.#context.probe(token, state, onBytesSent)
      if (answer.kind === 'later')
        return { reply: { ...answer, reached: false }, sentVersions: commands }
    }
    if (rule.gathered && commands.length > 1)
      return { reply: await send(rule.gathered.deliver(commands)), sentVersions: commands }
    const { reply, version } = await exchangeOne(
      send,
      rule,
      entry,
      command,
      state,
      this.#context.outside.now,
    )
    return { reply, sentVersions: [version] }
  }

  /** Resolves with the ids of entries that are done or refused. */
  #recordOutcome(
    state: OutboxState,
    entries: readonly Entry[],
    sentVersions: readonly QueuedCommand<unknown>[],
    rule: AnyRule,
    reply: HttpReply,
    token: string | null,
    bytes: number,
  ): Transition<'leadership-lost' | readonly string[]> {
    if (!leads(state, this.#owner, this.#fence)) return { state, result: 'leadership-lost' }
    let next = state
    const endedIds: string[] = []
    for (const [index, entry] of entries.entries()) {
      const command = sentVersions[index]
      const step = command && rule.deliver(command)
      const verdict = step ? judge(step, reply) : unreadable
      switch (verdict.kind) {
        case 'done':
          this.#waits.succeeded(entry.id)
          next = withEcho(
            done(this.#openLane(next, entry), entry.id, verdict.body, verdict.created),
            step,
            verdict.answer,
            entry.id,
          )
          if (command && isOlder(command, entry)) {
            const id = this.#context.outside.newId()
            next = keepNewestForUser(next, entry, command, id, rule, this.#context.outside.now())
            endedIds.push(id)
          }
          if (verdict.next !== undefined)
            next = queueNextStep(next, entry, verdict.next, verdict.created)
          else endedIds.push(entry.id)
          break
        case 'later':
          next = this.#scheduleRetry(next, entry, rule, verdict, bytes)
          if (next.entries.some(({ id, state }) => id === entry.id && state === 'refused'))
            endedIds.push(entry.id)
          break
        case 'refused':
          this.#waits.succeeded(entry.id)
          next = rule.silent
            ? done(next, entry.id, null, null)
            : refused(next, entry.id, verdict.problem)
          endedIds.push(entry.id)
          break
        case 'signed-out':
          next =
            token === null
              ? later(next, entry.id, 'server', this.#context.outside.now() + LONGEST_WAIT_MS, {
                  reached: true,
                  uncertain: false,
                })
              : signedOut(next, this.#owner, token)
          // The user signed in again meanwhile: retry with the new token.
          if (next.entries.some(({ id, state }) => id === entry.id && state === 'sending'))
            next = later(next, entry.id, 'server', 0, { reached: true, uncertain: false })
      }
    }
    return { state: next, result: endedIds }
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
    rule: AnyRule,
    reply: Later,
    bytes: number,
  ): OutboxState {
    const { outside } = this.#context
    const now = outside.now()
    if (entry.low && now - entry.bornAt > LOW_PRIORITY_MAX_AGE_MS)
      return withEntries(state, (one) => (one.id === entry.id ? null : one))
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
    const question = overspent(entry, spent, bytes, rule)
    if (question !== null) return paused(waiting, entry.id, question, spent)
    return withEntries(waiting, (one) =>
      one.id === entry.id
        ? {
            ...one,
            spent,
            retryAt:
              reply.retryAfterMs === null
                ? 0
                : now + Math.min(RETRY_AFTER_MAX_MS, reply.retryAfterMs),
          }
        : one,
    )
  }
}

interface Later {
  readonly why: WaitReason
  readonly retryAfterMs: number | null
  readonly reached: boolean
}

type Verdict =
  | {
      readonly kind: 'done'
      readonly body: unknown
      readonly answer: unknown
      readonly created: IdMapping | null
      /** The payload that is still to be sent. */
      readonly next: unknown
    }
  | ({ readonly kind: 'later' } & Later)
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'signed-out' }

const unreadable: { readonly kind: 'refused'; readonly status: number; readonly problem: Problem } =
  {
    kind: 'refused',
    status: 0,
    problem: { detail: '', code: 'unreadable' },
  }

function judge(step: AnyStep, reply: HttpReply): Verdict {
  const none = { kind: 'done', body: null, answer: null, created: null, next: undefined } as const
  const wrong = { kind: 'later', why: 'server', retryAfterMs: null, reached: true } as const
  if (reply.kind === 'refused') {
    const instead = step.refused?.(reply.problem, reply.status) ?? null
    return instead === null ? reply : instead === 'done' ? none : { ...none, next: instead }
  }
  // A write is never answered by 304: not our server.
  if (reply.kind === 'unchanged') return wrong
  if (reply.kind !== 'done') return reply
  const read = step.answer(reply.answer)
  // The body has another format: a captive portal, or another server version.
  if (read === null) return wrong
  return { ...none, body: reply.answer, created: null, ...read }
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
  const settled = withEntries(state, (one) =>
    one.id === entry.id ? { ...one, payload: membersOf(older.payload), tried: [] } : one,
  )
  return parkedCopy(
    settled,
    { ...entry, name, payload: membersOf(payload) },
    id,
    now,
    'arrived_before_change',
  )
}

/**
 * Queues the next step of an entry, with no tries yet. `wifiOnly` is left as it is: the user may
 * have changed it meanwhile.
 */
function queueNextStep(
  state: OutboxState,
  entry: Entry,
  payload: unknown,
  created: IdMapping | null,
): OutboxState {
  const waiting = withEntries(state, (one) =>
    one.id === entry.id
      ? {
          ...one,
          payload: { ...one.payload, ...membersOf(payload) },
          bytes: weight(payload).bytes,
          state: 'waiting',
          answer: null,
          triedAt: 0,
          tried: [],
          tries: 0,
          spent: undefined,
        }
      : one,
  )
  return created ? rename(waiting, entry.owner, created) : waiting
}

function withEcho(
  state: OutboxState,
  step: AnyStep | undefined,
  answer: unknown,
  id: string,
): OutboxState {
  const echo = answer === null ? undefined : step?.keyless?.echo?.(answer)
  return echo
    ? withMeta(state, {
        keysKept: echo.key === id,
        claimed: remembered(state.meta.claimed, echo.id),
      })
    : state
}
