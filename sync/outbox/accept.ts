import { type Entry, entry } from '#schema/disk/entry'
import { type Command, type CommandName, commands } from '#schema/port/command'
import type { QueuedId, SendResult } from '#schema/port/outcome'
import * as v from 'valibot'
import type { AnyRule, CommandRules, Delivery, IdMapping, QueuedCommand, Tools } from '../noun.ts'
import { type OutboxState, isRemoved, removed, withMeta, withEntries } from './state.ts'
import { isBehind, type Transition, rename, resume, underItsName } from './transitions.ts'
import { Full, type Table, Unopened } from './table.ts'

export interface Acceptance {
  readonly table: Table
  readonly rules: CommandRules
  readonly tools: Tools
  /** The phone is full: frees what can be fetched again. */
  makeRoom(): Promise<void>
}

/**
 * Steps 1 and 2 of [SYNC 5]: the row, strictly on disk, and only then "queued"; the optimistic documents follow and are
 * made again at the next start if the phone dies between.
 */
export async function accept(
  command: Command,
  { table, rules, tools, makeRoom }: Acceptance,
): Promise<SendResult> {
  const rule = ruleOf(rules, command.name)
  if (!rule || !v.is(entry.entries.id, command.id))
    return { kind: 'refused', code: 'invalid', field: null }
  const read = v.safeParse(commands[command.name], command.payload)
  if (!read.success)
    return { kind: 'refused', code: read.issues[0].message, field: v.getDotPath(read.issues[0]) }
  const payload = read.output
  const owner = tools.currentUser().me
  if (owner === '' && rule.visitor === undefined)
    return { kind: 'refused', code: 'not_authenticated', field: null }
  const early = await rule.refuseEarly?.(payload, tools)
  if (early != null) return { kind: 'refused', code: early, field: null }
  const known = (await rule.resolveId?.(payload, tools)) ?? null
  try {
    const put = (): Promise<Queueing> =>
      table.change((book) => {
        const here = learned(entered(book, owner, rules), owner, known, rule.lane(payload))
        const said = beginning(here, { ...command, payload }, rule, owner)
        return queue(here, said, ruleOf(rules, said.name) ?? rule, owner, tools.now())
      })
    const { sent, fresh } = await roomy(put, makeRoom)
    if (fresh) await applied(ruleOf(rules, fresh.name) ?? rule, fresh, tools)
    return sent
  } catch (error) {
    return {
      kind: 'unstorable',
      why: error instanceof Unopened ? error.why : error instanceof Full ? 'full' : 'broken',
    }
  }
}

/** Step 2 may fail where the cache is broken; the row is safe, and the documents come with the next start. */
async function applied(rule: AnyRule, entry: Entry, tools: Tools): Promise<void> {
  try {
    const seen = queued(entry)
    if (seen) await rule.apply?.(seen, tools)
  } catch (error) {
    console.warn('outbox: the documents follow later', error)
  }
}

/** Where the disk failed when this person came in: what waits for them stands before what they write now. */
function entered(book: OutboxState, owner: string, rules: CommandRules): OutboxState {
  return owner === '' ? book : resume(book, owner, (entry) => adopts(rules, entry))
}

/** What a visitor kept goes with whoever signs in. */
export function adopts(rules: CommandRules, entry: Entry): boolean {
  return ruleOf(rules, entry.name)?.visitor === 'keep'
}

/** What was begun here has come back under the server's name: all that waits for it is of one lane with what is written now. */
function learned(
  book: OutboxState,
  owner: string,
  known: IdMapping | null,
  own: string,
): OutboxState {
  const lane = known && `${known.kind}:${known.from}`
  return known &&
    (own === lane || book.entries.some((entry) => entry.owner === owner && entry.lane === lane))
    ? rename(book, owner, known)
    : book
}

/** The command as it is, or the one that begins what it would wait for. */
function beginning(book: OutboxState, command: Command, rule: AnyRule, owner: string): Command {
  const { lane, payload } = named(book, newEntry(command, rule, owner, 0, 0))
  const first = book.entries.some(
    (entry) =>
      entry.owner === owner &&
      entry.lane === lane &&
      entry.state !== 'acknowledged' &&
      rule.after?.some((name) => name === entry.name) === true,
  )
  const next = first ? null : rule.alone?.(payload)
  const begun = next && v.safeParse(commands[next.name], next.payload)
  return next && begun?.success === true
    ? { ...command, name: next.name, payload: begun.output }
    : command
}

/** Where the phone is full, what can be fetched again goes first, once. */
export function roomy<T>(work: () => Promise<T>, makeRoom: () => Promise<void>): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (!(error instanceof Full)) throw error
    await makeRoom()
    return work()
  })
}

export interface Queueing {
  readonly sent: Exclude<SendResult, { readonly kind: 'unstorable' }>
  /** What the documents must show; null: they do already. */
  readonly fresh: Entry | null
}

/** Puts a command into the book, at the end of its lane, or finds what stands for it there. */
export function queue(
  book: OutboxState,
  command: Command,
  rule: AnyRule,
  owner: string,
  now: number,
): Transition<Queueing> {
  // A composer keeps the name of its photo too, and that is the command's id.
  const clean =
    command.draft === undefined
      ? book
      : {
          ...book,
          texts: book.texts.filter(
            ({ id, content }) =>
              id !== textId(owner, command.draft ?? '') && content !== command.id,
          ),
        }
  const waiting = book.entries.find((entry) => entry.id === command.id && !isRemoved(entry))
  if (waiting) return sentAgain(clean, waiting, command, rule)
  if (book.meta.done.includes(command.id)) return standing(clean, null, null)
  const fresh = named(book, newEntry(command, rule, owner, now, book.meta.place + 1))
  const lane = book.entries.filter((entry) => entry.owner === owner && entry.lane === fresh.lane)
  const before = lane.findLast(
    (entry) =>
      rule.after?.some((name) => name === entry.name) === true && entry.state !== 'acknowledged',
  )
  const behind = before
    ? {
        ...fresh,
        after: before.id,
        ...(before.state === 'refused'
          ? { state: 'refused' as const, why: 'behind' as const, problem: before.problem }
          : {}),
      }
    : fresh
  const same = lane.filter(
    (entry) =>
      entry.name === fresh.name &&
      entry.state !== 'sending' &&
      entry.state !== 'acknowledged' &&
      !entry.doubt,
  )
  const seen = (which: (entry: Entry) => boolean): QueuedCommand<unknown>[] =>
    same.filter(which).flatMap((one) => queued(one) ?? [])
  const { drop, instead } = rule.collapse?.(
    command.payload,
    seen((one) => !isParked(one)),
    seen(isParked),
    fresh.id,
  ) ?? { drop: [], instead: fresh.id }
  // What takes another back leaves no row: the one that it took back stays until the documents have forgotten it.
  const dropped = (entry: Entry): Entry | null =>
    instead === null && rule.apply && rule.revert ? removed(entry) : null
  const rest = withEntries(clean, (entry) =>
    entry.id === fresh.id ? null : drop.includes(entry.id) ? dropped(entry) : entry,
  )
  const added = instead === fresh.id ? { ...rest, entries: [...rest.entries, behind] } : rest
  return standing(
    withMeta(added, { place: behind.place }),
    instead,
    instead === null ? null : behind,
  )
}

/** The only maker of "queued": the row that stands for the command is in this very book. */
function standing(book: OutboxState, id: string | null, fresh: Entry | null): Transition<Queueing> {
  return {
    book,
    result: {
      sent: id !== null && isQueued(book, id) ? { kind: 'queued', id } : { kind: 'done' },
      fresh,
    },
  }
}

function isQueued(book: OutboxState, id: string): id is QueuedId {
  return book.entries.some((entry) => entry.id === id && !isRemoved(entry))
}

/** Refused itself: it goes only when the person says so, or says it anew. */
function isParked(entry: Entry): boolean {
  return entry.state === 'refused' && !isBehind(entry)
}

/** A tap that comes twice is one; where the command says so, the second may bring a better version of what waits. */
function sentAgain(
  book: OutboxState,
  waiting: Entry,
  command: Command,
  rule: AnyRule,
): Transition<Queueing> {
  const old = queued(waiting)
  if (!rule.merge || !old || (waiting.state !== 'waiting' && waiting.state !== 'refused'))
    return standing(book, waiting.id, null)
  const payload = rule.merge(old.payload, command.payload)
  if (waiting.doubt && saysOtherwise(rule.deliver(old), rule.deliver({ ...old, payload })))
    return {
      book,
      result: { sent: { kind: 'refused', code: 'maybe_sent', field: null }, fresh: null },
    }
  const next: Entry = {
    ...waiting,
    ...weight(rule, payload),
    payload: membersOf(payload),
    ...(waiting.why === 'behind'
      ? {}
      : { state: 'waiting' as const, why: null, problem: null, notBefore: 0 }),
  }
  return standing(
    withEntries(book, (entry) => (entry.id === next.id ? next : entry)),
    next.id,
    next,
  )
}

/** Under the same key, which may be answered already [API 2]. */
function saysOtherwise(before: Delivery, after: Delivery): boolean {
  return (
    before.key === after.key &&
    JSON.stringify([before.params, before.body, before.files]) !==
      JSON.stringify([after.params, after.body, after.files])
  )
}

/** What sending it costs, and over which network. */
export function weight(rule: AnyRule, payload: unknown): Pick<Entry, 'bytes' | 'wifiOnly'> {
  return {
    bytes: (rule.bytes?.(payload) ?? JSON.stringify(payload).length) + OVERHEAD_BYTES,
    wifiOnly: rule.wifiOnly?.(payload) === true,
  }
}

export function membersOf(payload: unknown): Entry['payload'] {
  return typeof payload === 'object' && payload !== null ? { ...payload } : {}
}

export function textId(owner: string, key: string): string {
  return `${owner} ${key}`
}

/** An entry as its rule sees it; null when its payload is of a version that this code does not know. */
export function queued(entry: Entry): QueuedCommand<unknown> | null {
  if (!isCommand(entry.name)) return null
  const payload = v.safeParse(commands[entry.name], entry.payload)
  return payload.success
    ? {
        id: entry.id,
        owner: entry.owner,
        sequence: entry.place,
        createdAt: entry.bornAt,
        payload: payload.output,
      }
    : null
}

export function ruleOf(rules: CommandRules, name: string): AnyRule | null {
  return isCommand(name) ? (rules[name] ?? null) : null
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

/** The newest content of an entry whose older one arrived, as an entry of its own: the person decides what becomes of it. */
export function parkedCopy(
  book: OutboxState,
  entry: Entry,
  id: string,
  now: number,
  code: string,
): OutboxState {
  const place = book.meta.place + 1
  const own = {
    id,
    place,
    bornAt: now,
    state: 'refused',
    problem: { detail: '', code },
    why: null,
    answer: null,
    after: null,
  } as const
  const copy = named(book, {
    ...entry,
    ...own,
    triedAt: 0,
    doubt: false,
    tried: [],
    tries: 0,
    notBefore: 0,
    fence: 0,
  })
  return withMeta({ ...book, entries: [...book.entries, copy] }, { place })
}

function newEntry(
  command: Command,
  rule: AnyRule,
  owner: string,
  now: number,
  place: number,
): Entry {
  const payload = command.payload
  return {
    id: command.id,
    place,
    owner,
    lane: rule.lane(payload),
    low: rule.lowPriority === true,
    name: command.name,
    payload: { ...payload },
    state: owner === '' && rule.visitor === 'keep' ? 'signed-out' : 'waiting',
    why: null,
    problem: null,
    answer: null,
    after: null,
    bornAt: now,
    triedAt: 0,
    doubt: false,
    tried: [],
    tries: 0,
    notBefore: rule.batch && rule.lowPriority ? now + GATHER_MS : 0,
    fence: 0,
    ...weight(rule, payload),
  }
}

/** What can travel together waits so long for company. */
const GATHER_MS = 15_000
/** Headers of a request and of its answer, about. */
const OVERHEAD_BYTES = 700

function named(book: OutboxState, entry: Entry): Entry {
  return book.meta.made.reduce(
    (one, made) => (made.owner === entry.owner ? underItsName(one, made) : one),
    entry,
  )
}
