import { type Entry, entry } from '#schema/disk/entry'
import { type Command, type CommandName, commands } from '#schema/port/command'
import type { QueuedId, SendResult } from '#schema/port/outcome'
import * as v from 'valibot'
import type { AnyRule, CommandRules, Delivery, IdMapping, QueuedCommand, Tools } from '../noun.ts'
import { type OutboxState, isRemoved, removed, withMeta, withEntries } from './state.ts'
import { revertIfGone } from './newer.ts'
import { isBehind, renewed, type Transition, rename, resume, underItsName } from './transitions.ts'
import { Full, type Table, Unopened } from './table.ts'

export interface Acceptance {
  readonly table: Table
  readonly rules: CommandRules
  readonly tools: Tools
  /** Deletes data that can be fetched again. */
  makeRoom(): Promise<void>
}

/**
 * Steps 1 and 2 of [SYNC 5]: commits the row with strict durability, then returns "queued".
 * Optimistic documents follow; the next start repeats them after a crash.
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
      table.change((state) => {
        const here = learned(entered(state, owner, rules), owner, known)
        const first = beginning(here, { ...command, payload }, rule, owner)
        return queue(here, first, ruleOf(rules, first.name) ?? rule, owner, tools.now())
      })
    const { sent, fresh } = await roomy(put, makeRoom)
    if (fresh) await applied(ruleOf(rules, fresh.name) ?? rule, fresh, table, tools)
    return sent
  } catch (error) {
    return {
      kind: 'unstorable',
      why: error instanceof Unopened ? error.why : error instanceof Full ? 'full' : 'broken',
    }
  }
}

/**
 * Step 2 may fail when the cache is broken. The row is saved, so the next start applies the
 * documents.
 */
async function applied(rule: AnyRule, entry: Entry, table: Table, tools: Tools): Promise<void> {
  try {
    const seen = queued(entry)
    if (!seen || !rule.apply) return
    await rule.apply(seen, tools)
    await revertIfGone(await table.read(), { rule, entry, seen }, tools)
  } catch (error) {
    console.warn('outbox: the documents follow later', error)
  }
}

/**
 * Resumes the owner's entries here too, for when the disk failed at sign-in: they must be sent
 * before newer ones.
 */
function entered(state: OutboxState, owner: string, rules: CommandRules): OutboxState {
  return owner === '' ? state : resume(state, owner, (entry) => adopts(rules, entry))
}

export function adopts(rules: CommandRules, entry: Entry): boolean {
  return ruleOf(rules, entry.name)?.visitor === 'keep'
}

/** Stores the server's id with the entries under it: the cache may be cleared before the next write. */
function learned(state: OutboxState, owner: string, known: IdMapping | null): OutboxState {
  return known ? rename(state, owner, known) : state
}

/** The command itself, or one that first creates what the command depends on. */
function beginning(state: OutboxState, command: Command, rule: AnyRule, owner: string): Command {
  if (!rule.withoutEarlier) return command
  const { lane, payload } = named(state, newEntry(command, rule, owner, 0, 0))
  const first = state.entries.some(
    (entry) =>
      entry.owner === owner &&
      entry.lane === lane &&
      entry.state !== 'acknowledged' &&
      rule.after?.some((name) => name === entry.name) === true,
  )
  const next = first ? null : rule.withoutEarlier(payload)
  const begun = next && v.safeParse(commands[next.name], next.payload)
  return next && begun?.success === true
    ? { ...command, name: next.name, payload: begun.output }
    : command
}

/** Runs `work`; when storage is full, frees space and runs it once more. */
export function roomy<T>(work: () => Promise<T>, makeRoom: () => Promise<void>): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (!(error instanceof Full)) throw error
    await makeRoom()
    return work()
  })
}

export interface Queueing {
  readonly sent: Exclude<SendResult, { readonly kind: 'unstorable' }>
  /** null: none must be written. */
  readonly fresh: Entry | null
}

/** Appends a command to its lane, or finds the entry that already represents it. */
export function queue(
  state: OutboxState,
  command: Command,
  rule: AnyRule,
  owner: string,
  now: number,
): Transition<Queueing> {
  // The composer's draft photo is stored as a text whose content is the command's id: delete it
  // too.
  const clean =
    command.draft === undefined
      ? state
      : {
          ...state,
          texts: state.texts.filter(
            ({ id, content }) =>
              id !== textId(owner, command.draft ?? '') && content !== command.id,
          ),
        }
  const waiting = state.entries.find((entry) => entry.id === command.id && !isRemoved(entry))
  if (waiting) return sentAgain(clean, waiting, command, rule)
  if (state.meta.done.includes(command.id)) return standing(clean, null, null)
  const fresh = named(state, newEntry(command, rule, owner, now, state.meta.sequence + 1))
  const lane = state.entries.filter((entry) => entry.owner === owner && entry.lane === fresh.lane)
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
      !entry.uncertain,
  )
  const seen = (which: (entry: Entry) => boolean): QueuedCommand<unknown>[] =>
    same.filter(which).flatMap((one) => queued(one) ?? [])
  const { drop, representedBy } = rule.collapse?.(
    command.payload,
    seen((one) => !isParked(one)),
    seen(isParked),
    fresh.id,
  ) ?? { drop: [], representedBy: fresh.id }
  // A cancelled entry stays as a removed row until its optimistic documents are reverted; the
  // cancelling command needs no row.
  const dropped = (entry: Entry): Entry | null =>
    representedBy === null && rule.apply && rule.revert ? removed(entry) : null
  const rest = withEntries(clean, (entry) =>
    entry.id === fresh.id ? null : drop.includes(entry.id) ? dropped(entry) : entry,
  )
  const added = representedBy === fresh.id ? { ...rest, entries: [...rest.entries, behind] } : rest
  return standing(
    withMeta(added, { sequence: behind.sequence }),
    representedBy,
    representedBy === null ? null : behind,
  )
}

/** The only function that returns "queued": it checks that the row is in this outbox state. */
function standing(
  state: OutboxState,
  id: string | null,
  fresh: Entry | null,
): Transition<Queueing> {
  return {
    state,
    result: {
      sent: id !== null && isQueued(state, id) ? { kind: 'queued', id } : { kind: 'done' },
      fresh,
    },
  }
}

function isQueued(state: OutboxState, id: string): id is QueuedId {
  return state.entries.some((entry) => entry.id === id && !isRemoved(entry))
}

/** Refused itself, not because of another entry: only the user can send it again. */
function isParked(entry: Entry): boolean {
  return entry.state === 'refused' && !isBehind(entry)
}

/**
 * A repeated tap has no effect, unless the rule can merge the newer payload into the waiting entry.
 */
function sentAgain(
  state: OutboxState,
  waiting: Entry,
  command: Command,
  rule: AnyRule,
): Transition<Queueing> {
  const old = queued(waiting)
  if (!rule.merge || !old || (waiting.state !== 'waiting' && waiting.state !== 'refused'))
    return standing(state, waiting.id, null)
  const payload = rule.merge(old.payload, command.payload)
  if (waiting.uncertain && saysOtherwise(rule.deliver(old), rule.deliver({ ...old, payload })))
    return {
      state,
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
  return standing(renewed(state, next), next.id, next)
}

/** A changed request under the same key may already have an answer [API 2]. */
function saysOtherwise(before: Delivery, after: Delivery): boolean {
  return (
    before.key === after.key &&
    JSON.stringify([before.params, before.body, before.files]) !==
      JSON.stringify([after.params, after.body, after.files])
  )
}

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

/** An entry in the form its rule takes; null when this version cannot parse the payload. */
export function queued(entry: Entry): QueuedCommand<unknown> | null {
  if (!isCommand(entry.name)) return null
  const payload = v.safeParse(commands[entry.name], entry.payload)
  return payload.success
    ? {
        id: entry.id,
        owner: entry.owner,
        sequence: entry.sequence,
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

/**
 * Copies the newest content into an entry of its own after an older version arrived: the user
 * decides what to do with it.
 */
export function parkedCopy(
  state: OutboxState,
  entry: Entry,
  id: string,
  now: number,
  code: string,
): OutboxState {
  const sequence = state.meta.sequence + 1
  const own = {
    id,
    sequence,
    bornAt: now,
    state: 'refused',
    problem: { detail: '', code },
    why: null,
    answer: null,
    after: null,
  } as const
  const copy = named(state, {
    ...entry,
    ...own,
    triedAt: 0,
    uncertain: false,
    tried: [],
    tries: 0,
    notBefore: 0,
    fence: 0,
  })
  return withMeta({ ...state, entries: [...state.entries, copy] }, { sequence })
}

function newEntry(
  command: Command,
  rule: AnyRule,
  owner: string,
  now: number,
  sequence: number,
): Entry {
  const payload = command.payload
  return {
    id: command.id,
    sequence,
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
    uncertain: false,
    tried: [],
    tries: 0,
    notBefore: rule.batch && rule.lowPriority ? now + GATHER_MS : 0,
    fence: 0,
    ...weight(rule, payload),
  }
}

/** How long low-priority entries wait to be batched. */
const GATHER_MS = 15_000
/** Approximate size of request and response headers. */
const OVERHEAD_BYTES = 700

function named(state: OutboxState, entry: Entry): Entry {
  return state.meta.made.reduce(
    (one, made) => (made.owner === entry.owner ? underItsName(one, made) : one),
    entry,
  )
}
