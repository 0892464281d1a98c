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

/** Sends a call under the owner's name and the entry's key, and tells how many bytes left. */
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
  /** Asks the server something small under the owner's name. */
  reach(token: string | null, book: OutboxState, spent: (bytes: number) => void): Promise<HttpReply>
  /** The network is there, as far as is known. */
  usable(): boolean
  wifi(): boolean
  /** The book changed. */
  changed(): void
  /** Done or refused: the documents follow, where they are. */
  marked(ids: readonly string[]): Promise<void>
  signedOut(owner: string, token: string): void
  /** Another one leads. */
  fenced(): void
}

const AT_ONCE = 4
const RECOVER_MS = 2000
/** An entry that nobody waits for is given up after so long. */
const LOW_LASTS_MS = 7 * 24 * 3_600_000

/** Step 3 of [SYNC 5] for the entries of one owner, under one fence: as many lanes as may, one entry of each at a time. */
export class Delivering {
  readonly #context: DeliveryContext
  readonly #owner: string
  readonly #fence: number
  readonly #busy = new Set<string>()
  #stopped = false
  #cancel: (() => void) | null = null
  /** A lane may wait for time. */
  #timed = true
  /** Answers of our server so far. */
  #proofs = 0
  readonly #waits: Waits

  constructor(context: DeliveryContext, owner: string, fence: number) {
    this.#context = context
    this.#owner = owner
    this.#fence = fence
    this.#waits = new Waits(context.outside, RETRY_ENTRY_MAX_MS)
  }

  /** Something changed: looks whose turn it is. Resolves when everything that could be begun has begun. */
  readonly wake = coalesced(() => this.#look().catch((error: unknown) => this.#lookAgain(error)))

  /** Our server answered: each lane that waits tries soon. */
  async recovered(): Promise<void> {
    this.#proofs += 1
    // The disk is not read at each answer for nothing.
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

  /** Asked twice it answers the same. What another tab or an earlier run met is known by its row alone. */
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

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  /** Nothing is in flight and nothing is due: all that is left waits for time, network or a person. */
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

  /** The disk could not be read: what waits is looked at again soon. */
  #lookAgain(error: unknown): void {
    console.warn('outbox', error)
    this.#cancel?.()
    if (!this.#stopped)
      this.#cancel = this.#context.outside.setTimer(RECOVER_MS, () => void this.wake())
  }

  /** The disk failed under a mark: whether it was sent is unknown now; says so as soon as the disk allows. */
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
    // It says something else than what failed before.
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
    // What was proved meanwhile found it in flight.
    if (reply.kind === 'later' && this.#proofs > proofs && !this.#stopped)
      await this.#hurry(({ id }) => ids.includes(id))
    if (reply.kind === 'signed-out' && token !== null) this.#context.signedOut(this.#owner, token)
  }

  /** Of another version of the app: parked, so that the person still has its text. */
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

  /** One that was stopped says nothing: its tab may lead again, under another fence. */
  #fenced(): void {
    if (!this.#stopped) this.#context.fenced()
  }

  /** Several at once where they travel together; else one, in any of its versions. */
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

  /** `fenced`: another one leads; else which entries have documents that must follow. */
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
          // They signed in again meanwhile: it goes under the new token.
          if (next.entries.some(({ id, state }) => id === entry.id && state === 'sending'))
            next = later(next, entry.id, 'server', 0, true, false)
      }
    }
    return { book: next, result: moved }
  }

  /** What is done shows that its lane works: the next in it tries as soon as the server allows. */
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

/** A row of another version: parked, so that the person still has its text. */
const unreadable: { readonly kind: 'refused'; readonly status: number; readonly problem: Problem } =
  {
    kind: 'refused',
    status: 0,
    problem: { detail: '', code: 'unreadable' },
  }

/** What the reply means for one entry. */
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
  // Not our own content: somebody else answered, or another version of the server.
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

/** An older version had arrived before the change did: that is what was sent, and the newest waits for the person to decide. */
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

/** The next step of the same entry: nothing of it was sent yet. Whether it waits for Wi-Fi is the person's word, which may have changed meanwhile. */
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
