import type { Entry, WaitReason } from '#schema/disk/entry'
import { RETRY_AFTER_MAX_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import type { Problem } from '#schema/wire/problem'
import type { HttpReply } from '../network/http.ts'
import { causeOf, Waits } from '../network/backoff.ts'
import type { AnyRule, CommandRules, Delivery, IdMapping, QueuedCommand } from '../noun.ts'
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

/** Sends a request with the owner's token and the entry's key, and reports the bytes sent. */
export type Send = (
  delivery: Delivery,
  key: string,
  token: string | null,
  book: OutboxState,
  spent: (bytes: number) => void,
) => Promise<HttpReply>

export interface DeliveryContext {
  readonly outside: Outside
  readonly table: Table
  readonly rules: CommandRules
  readonly send: Send
  reach(token: string | null, book: OutboxState, spent: (bytes: number) => void): Promise<HttpReply>
  /** Whether the network seems to be available. */
  usable(): boolean
  wifi(): boolean
  changed(): void
  /** Their documents must be updated. */
  marked(ids: readonly string[]): Promise<void>
  signedOut(owner: string, token: string): void
  /** Another leader took over. */
  fenced(): void
}

const AT_ONCE = 4
const RECOVER_MS = 2000
const LOW_LASTS_MS = 7 * 24 * 3_600_000

/**
 * Step 3 of [SYNC 5] for one owner under one fencing number: sends lanes in parallel, one entry of
 * each at a time.
 */
export class Delivering {
  readonly #context: DeliveryContext
  readonly #owner: string
  readonly #fence: number
  readonly #busy = new Set<string>()
  #stopped = false
  #cancel: (() => void) | null = null
  #timed = true
  #proofs = 0
  readonly #waits: Waits

  constructor(context: DeliveryContext, owner: string, fence: number) {
    this.#context = context
    this.#owner = owner
    this.#fence = fence
    this.#waits = new Waits(context.outside, RETRY_ENTRY_MAX_MS)
  }

  /** Starts every delivery that is due. Resolves when all of them have started. */
  readonly wake = coalesced(() => this.#look().catch((error: unknown) => this.#lookAgain(error)))

  async recovered(): Promise<void> {
    this.#proofs += 1
    // Avoid a disk read at each answer when no lane waits.
    if (!this.#stopped && this.#timed) await this.#hurry(() => true)
  }

  async #hurry(which: (entry: Entry) => boolean): Promise<void> {
    const { table } = this.#context
    const sooner = (entry: Entry): boolean => which(entry) && this.#sooner(entry) < entry.notBefore
    if (!(await table.read()).entries.some(sooner)) return
    await table.change((book) => ({
      book: withEntries(book, (entry) =>
        sooner(entry) ? { ...entry, notBefore: this.#sooner(entry) } : entry,
      ),
      result: null,
    }))
    await this.wake()
  }

  /** Idempotent. For tries of another tab or an earlier run, only the row has their failures. */
  #sooner({ id, owner, state, why, notBefore, retryAt = 0, tries }: Entry): number {
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
    this.#cancel?.()
    await Promise.all(this.#flights)
  }

  /** Resolves when nothing is in flight or due: the rest waits for time, network or the user. */
  async idle(): Promise<void> {
    do {
      await Promise.all(this.#flights)
      await this.wake()
    } while (this.#flights.size > 0)
  }

  readonly #flights = new Set<Promise<void>>()

  async #look(): Promise<void> {
    const { outside, table, rules } = this.#context
    this.#cancel?.()
    this.#cancel = null
    this.#timed = true
    if (this.#stopped || !this.#context.usable()) return
    const book = await table.read()
    if (this.#stopped || (this.#owner !== '' && tokenOf(book, this.#owner) === null)) return
    const now = outside.now()
    const { batches, wakeAt } = schedule(
      book.entries.filter((entry) => entry.owner === this.#owner),
      {
        now,
        wifi: this.#context.wifi(),
        together: (name) => ruleOf(rules, name)?.batch?.most ?? 1,
      },
    )
    for (const batch of batches) {
      if (this.#busy.size >= AT_ONCE) break
      const [head] = batch
      if (!head || this.#busy.has(head.lane)) continue
      this.#busy.add(head.lane)
      const flight = this.#deliver(batch).catch((error: unknown) =>
        this.#recover(
          batch.map((entry) => entry.id),
          error,
        ),
      )
      this.#flights.add(flight)
      void flight.finally(() => {
        this.#flights.delete(flight)
        this.#busy.delete(head.lane)
        if (!this.#stopped) void this.wake()
      })
    }
    this.#timed = wakeAt !== null
    if (wakeAt !== null)
      this.#cancel = outside.setTimer(Math.max(0, wakeAt - now), () => void this.wake())
  }

  #lookAgain(error: unknown): void {
    console.warn('outbox', error)
    this.#cancel?.()
    if (!this.#stopped)
      this.#cancel = this.#context.outside.setTimer(RECOVER_MS, () => void this.wake())
  }

  /**
   * The disk failed while an entry was being updated, so its outcome is unknown: writes that as
   * soon as possible.
   */
  async #recover(ids: readonly string[], error: unknown): Promise<void> {
    const { outside, table } = this.#context
    console.warn('outbox', error)
    await new Promise<void>((resolve) => void outside.setTimer(RECOVER_MS, resolve))
    if (this.#stopped) return
    await table
      .change((book) => ({
        book: leads(book, this.#owner, this.#fence)
          ? ids.reduce(
              (next, id) =>
                next.entries.some((one) => one.id === id && one.state === 'sending')
                  ? later(next, id, 'storage', 0, false, true)
                  : next,
              book,
            )
          : book,
        result: null,
      }))
      .catch((again: unknown) => this.#recover(ids, again))
  }

  async #deliver(batch: readonly Entry[]): Promise<void> {
    const { table, rules, outside } = this.#context
    const ids = batch.map((entry) => entry.id)
    const begun = await table.change((book) => {
      const { book: next, result } = begin(book, ids, this.#owner, this.#fence, outside.now())
      return { book: next, result: result && { entries: result, book: next } }
    })
    if (!begun) return this.#lost()
    this.#context.changed()
    // The content changed since the last failure, so the backoff restarts.
    for (const { id, triedAt } of begun.entries) if (triedAt === 0) this.#waits.succeeded(id)
    const [entry] = begun.entries
    const rule = entry && ruleOf(rules, entry.name)
    if (!rule) return this.#park(begun.entries)
    const seen = begun.entries.flatMap((one) => queued(one) ?? [])
    const token = tokenOf(begun.book, this.#owner)
    let bytes = 0
    const proofs = this.#proofs
    const spent = (more: number): void => void (bytes += more)
    const { reply, versions } =
      seen.length === begun.entries.length
        ? await this.#exchange(rule, entry, seen, token, begun.book, spent)
        : { reply: unreadable, versions: seen }
    const moved = await table.change((book) =>
      this.#mark(book, begun.entries, versions, rule, reply, token, bytes / begun.entries.length),
    )
    if (moved === 'fenced') return this.#fenced()
    this.#context.changed()
    if (moved.length > 0) await this.#context.marked(moved)
    // An answer that arrived while this entry was in flight could not shorten its wait.
    if (reply.kind === 'later' && this.#proofs > proofs && !this.#stopped)
      await this.#hurry(({ id }) => ids.includes(id))
    if (reply.kind === 'signed-out' && token !== null) this.#context.signedOut(this.#owner, token)
  }

  /** So that the user can still see the text of an unknown version. */
  async #park(entries: readonly Entry[]): Promise<void> {
    await this.#context.table.change((book) => ({
      book: entries.reduce((next, { id }) => refused(next, id, unreadable.problem), book),
      result: null,
    }))
    this.#context.changed()
  }

  async #lost(): Promise<void> {
    const book = await this.#context.table.read()
    if (!leads(book, this.#owner, this.#fence)) this.#fenced()
  }

  /** A stopped instance must not report it: its tab may lead again under another fencing number. */
  #fenced(): void {
    if (!this.#stopped) this.#context.fenced()
  }

  /** Sends a batch where the rule allows one; else one entry, in any of its versions. */
  async #exchange(
    rule: AnyRule,
    entry: Entry,
    seen: readonly QueuedCommand<unknown>[],
    token: string | null,
    book: OutboxState,
    spent: (bytes: number) => void,
  ): Promise<{ readonly reply: HttpReply; readonly versions: readonly QueuedCommand<unknown>[] }> {
    const send = (delivery: Delivery): Promise<HttpReply> =>
      this.#context.send(delivery, entry.id, token, book, spent)
    const [one] = seen
    if (!one) return { reply: unreadable, versions: seen }
    if (isHeavy(entry) && entry.spent) {
      const there = await this.#context.reach(token, book, spent)
      if (there.kind === 'later') return { reply: { ...there, reached: false }, versions: seen }
    }
    if (rule.batch && seen.length > 1)
      return { reply: await send(rule.batch.deliver(seen)), versions: seen }
    const { reply, version } = await exchangeOne(
      send,
      rule,
      entry,
      one,
      book,
      this.#context.outside.now,
    )
    return { reply, versions: [version] }
  }

  /**
   * `fenced`: another leader took over. Else the ids of entries whose documents must be updated.
   */
  #mark(
    book: OutboxState,
    entries: readonly Entry[],
    versions: readonly QueuedCommand<unknown>[],
    rule: AnyRule,
    reply: HttpReply,
    token: string | null,
    bytes: number,
  ): Transition<'fenced' | readonly string[]> {
    if (!leads(book, this.#owner, this.#fence)) return { book, result: 'fenced' }
    let next = book
    const moved: string[] = []
    for (const [place, entry] of entries.entries()) {
      const one = versions[place]
      const verdict = one ? judge(rule, one, reply) : unreadable
      switch (verdict.kind) {
        case 'done':
          this.#waits.succeeded(entry.id)
          next = echoed(
            done(this.#openLane(next, entry), entry.id, verdict.body, verdict.made),
            rule,
            verdict.answer,
            entry.id,
          )
          if (one && isOlder(one, entry)) {
            const id = this.#context.outside.newId()
            next = overtaken(
              next,
              entry,
              one,
              id,
              rule,
              verdict.answer,
              this.#context.outside.now(),
            )
            moved.push(id)
          }
          if (verdict.rest) next = goOn(next, entry, verdict.rest, verdict.made, rule)
          else moved.push(entry.id)
          break
        case 'later':
          next = this.#wait(next, entry, rule, verdict, bytes)
          if (next.entries.some(({ id, state }) => id === entry.id && state === 'refused'))
            moved.push(entry.id)
          break
        case 'refused':
          this.#waits.succeeded(entry.id)
          next = rule.silent
            ? done(next, entry.id, null, null)
            : refused(next, entry.id, verdict.problem)
          moved.push(entry.id)
          break
        case 'signed-out':
          next =
            token === null
              ? later(
                  next,
                  entry.id,
                  'server',
                  this.#context.outside.now() + LONGEST_WAIT_MS,
                  true,
                  false,
                )
              : signedOut(next, this.#owner, token)
          // The user signed in again meanwhile: retry with the new token.
          if (next.entries.some(({ id, state }) => id === entry.id && state === 'sending'))
            next = later(next, entry.id, 'server', 0, true, false)
      }
    }
    return { book: next, result: moved }
  }

  /** A success shows that the lane works: the next entry is due as soon as the server allows. */
  #openLane(book: OutboxState, { id: doneId, owner, lane }: Entry): OutboxState {
    return withEntries(book, (entry) => {
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

  #wait(book: OutboxState, entry: Entry, rule: AnyRule, reply: Later, bytes: number): OutboxState {
    const { outside } = this.#context
    const now = outside.now()
    if (entry.low && now - entry.bornAt > LOW_LASTS_MS)
      return withEntries(book, (one) => (one.id === entry.id ? null : one))
    const spent = charged(entry, bytes, now)
    const step = isHeavy({ bytes }) ? costStep(entry, spent) : 0
    const wait = this.#waits.failed(entry.id, causeOf(reply.why), reply.retryAfterMs, {
      before: entry.tries,
      step,
    })
    const waiting = later(
      book,
      entry.id,
      reply.why,
      now + wait,
      reply.reached,
      reply.why !== 'limit',
    )
    const asked = overspent(entry, spent, bytes, rule)
    if (asked !== null) return paused(waiting, entry.id, asked, spent)
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

/** `name` null: the same command. */
type Rest = { readonly name: string | null; readonly payload: unknown }

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
      readonly made: IdMapping | null
      readonly rest: Rest | null
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

function judge(rule: AnyRule, one: QueuedCommand<unknown>, reply: HttpReply): Verdict {
  const healed =
    reply.kind === 'refused' ? rule.repair?.(one.payload, reply.problem, reply.status) : null
  if (healed != null)
    return {
      kind: 'done',
      body: null,
      answer: null,
      made: null,
      rest: { name: null, payload: healed },
    }
  if (reply.kind === 'refused' && rule.isAlreadyDone?.(reply.problem, reply.status, one))
    return { kind: 'done', body: null, answer: null, made: null, rest: null }
  if (reply.kind !== 'done')
    return reply.kind === 'unchanged'
      ? { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
      : reply
  const answer = rule.answer(reply.answer, one)
  // The body has another format: a captive portal, or another server version.
  if (answer === null) return { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
  return {
    kind: 'done',
    body: reply.answer,
    answer,
    made: rule.createdId?.(one.payload, answer) ?? null,
    rest: rule.nextStep?.(one.payload, answer) ?? null,
  }
}

function isOlder({ payload }: QueuedCommand<unknown>, entry: Entry): boolean {
  const newest = queued(entry)
  return newest !== null && JSON.stringify(newest.payload) !== JSON.stringify(payload)
}

/**
 * An older version arrived before the edit. The entry becomes that version; the newest content is
 * parked for the user to decide.
 */
function overtaken(
  book: OutboxState,
  entry: Entry,
  older: QueuedCommand<unknown>,
  id: string,
  rule: AnyRule,
  answer: unknown,
  now: number,
): OutboxState {
  const { name, payload } =
    (answer === null ? null : rule.followUp?.(queued(entry)?.payload, answer)) ?? entry
  const settled = withEntries(book, (one) =>
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
function goOn(
  book: OutboxState,
  entry: Entry,
  { name, payload }: Rest,
  made: IdMapping | null,
  rule: AnyRule,
): OutboxState {
  const waits = withEntries(book, (one) => {
    if (one.id !== entry.id) return one
    const same = name === null || name === one.name
    const next = {
      payload: { ...(same ? one.payload : {}), ...membersOf(payload) },
      ...(same ? { bytes: weight(rule, payload).bytes } : {}),
    }
    return {
      ...one,
      ...next,
      name: name ?? one.name,
      state: 'waiting',
      answer: null,
      triedAt: 0,
      tried: [],
      tries: 0,
      spent: undefined,
    }
  })
  return made ? rename(waits, entry.owner, made) : waits
}

function echoed(book: OutboxState, rule: AnyRule, answer: unknown, id: string): OutboxState {
  const echo = answer === null ? undefined : rule.echo?.(answer)
  return echo
    ? withMeta(book, { keysKept: echo.key === id, claimed: remembered(book.meta.claimed, echo.id) })
    : book
}
