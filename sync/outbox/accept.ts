import { answerKeyOf } from '#schema/answerKey'
import { type Entry, entry, isRemoved } from '#schema/disk/entry'
import { type Command, type CommandName, commands, payloadOf, weighed } from '#schema/port/command'
import type { QueuedId, SendResult } from '#schema/port/outcome'
import { parsed } from '#schema/parsed'
import * as v from 'valibot'
import { members } from '#schema/tolerant'
import type { AnyRule, CommandRules, Delivery, QueuedCommand, Tools } from '../noun.ts'
import {
  entryOf,
  type OutboxState,
  removed,
  textId,
  type Transition,
  withEntries,
  withMeta,
} from './state.ts'
import { isBehind, renewed, rename, resume, waitingAgain, withServerId } from './transitions.ts'
import { type Table, Unstorable } from './table.ts'

export interface Settling {
  readonly table: Pick<Table, 'change' | 'read'>
  readonly rules: CommandRules
  readonly tools: Tools
}

/** Steps 1 and 2 of [SYNC 5]. */
export async function accept(
  command: Command,
  { table, rules, tools }: Settling,
  settle: (ids?: readonly string[]) => Promise<void>,
): Promise<SendResult> {
  const rule = ruleOf(rules, command.name)
  if (!rule || !v.is(entry.entries.id, command.id)) return rejected('invalid')
  const read = v.safeParse(commands[command.name], command.payload)
  if (!read.success) return rejected(read.issues[0].message, v.getDotPath(read.issues[0]))
  const payload = read.output
  const owner = tools.currentUser().me
  if (owner === '' && rule.visitor === undefined) return rejected('not_authenticated')
  const known = (await rule.check?.(payload, tools)) ?? null
  if (typeof known === 'string') return rejected(known)
  try {
    const sent = await table.change((state) => {
      // What waits since before the sign-in is sent first, also if the disk failed then.
      const own = owner === '' ? state : resume(state, owner, adopting(rules), tools.now())
      // Stored with the entries: the cache may be cleared before the next write.
      const here = known ? rename(own, owner, known) : own
      const first = firstCommand(here, { ...command, payload }, rule, owner)
      return queue(here, first, ruleOf(rules, first.name) ?? rule, owner, tools.now())
    })
    if (sent.kind === 'done') await settle()
    if (sent.kind === 'queued') await settle([sent.id])
    return sent
  } catch (error) {
    return { kind: 'unstorable', why: error instanceof Unstorable ? error.why : 'broken' }
  }
}

function rejected(code: string, field: string | null = null) {
  return { kind: 'refused', code, field } as const
}

export interface KnownEntry {
  readonly rule: AnyRule
  readonly entry: Entry
  readonly command: QueuedCommand
}

/** null: this version has no such command, or cannot parse the payload. */
export function knownEntry(rules: CommandRules, entry: Entry) {
  const rule = ruleOf(rules, entry.name)
  const command = queued(entry)
  return rule && command && { rule, entry, command }
}

export function isOfLane(entry: Entry, { owner, lane }: Entry, name: string | undefined) {
  return entry.owner === owner && entry.lane === lane && entry.name === name
}

export function adopting(rules: CommandRules) {
  return ({ name }: Entry) => ruleOf(rules, name)?.visitor === 'keep'
}

/** The given one, or the one that replaces it when nothing precedes it. */
function firstCommand(state: OutboxState, command: Command, rule: AnyRule, owner: string) {
  if (!rule.after?.alone) return command
  const entry = withServerIds(state, newEntry(command, rule, owner, 0, 0))
  if (earlierOf(state, entry, rule)) return command
  const { name, payload } = rule.after.alone(entry.payload)
  const begun = payloadOf(name, payload)
  return begun ? { ...command, name, payload: begun } : command
}

function earlierOf({ entries }: OutboxState, entry: Entry, { after }: AnyRule) {
  return entries.findLast(
    (one) => isOfLane(one, entry, after?.command) && one.state !== 'acknowledged',
  )
}

type Sent = Exclude<SendResult, { readonly kind: 'unstorable' }>

export function queue(
  state: OutboxState,
  command: Command,
  rule: AnyRule,
  owner: string,
  now: number,
) {
  const clean = withoutDraft(state, command, owner)
  const waiting = entryOf(state, command.id)
  if (waiting && !isRemoved(waiting)) return sentAgain(clean, waiting, command, rule)
  if (state.meta.done.includes(command.id)) return withSendResult(clean, null)
  const fresh = withServerIds(state, newEntry(command, rule, owner, now, state.meta.sequence + 1))
  const before = earlierOf(state, fresh, rule)
  const behind: Entry = {
    ...fresh,
    ...(before && { after: before.id }),
    ...(before?.state === 'refused' && {
      state: 'refused',
      why: 'behind',
      problem: before.problem,
    }),
  }
  const { drop, representedBy } = collapsed(state, fresh, command.payload, rule)
  // The entry stays until its documents are reverted; what cancels it adds none.
  const dropped = representedBy === null && rule.apply && rule.revert ? removed : null
  const rest = withEntries(
    clean,
    ({ id }) => id === fresh.id || drop.includes(id),
    ({ id }) => (id === fresh.id ? null : dropped),
  )
  const added = representedBy === fresh.id ? { ...rest, entries: [...rest.entries, behind] } : rest
  return withSendResult(withMeta(added, { sequence: behind.sequence }), representedBy)
}

/** A composer's photos are a text too: the ids of their commands. */
function withoutDraft(state: OutboxState, { id, draft }: Command, owner: string) {
  const used =
    draft === undefined ? [] : [draft, answerKeyOf(draft)].map((key) => textId(owner, key))
  const texts = state.texts.flatMap((text) => {
    if (!text.content.includes(id)) return used.includes(text.id) ? [] : text
    const content = text.content.replace(id, '').trim()
    return content === '' ? [] : { ...text, content }
  })
  return { ...state, texts }
}

/** `representedBy`: what stands for the command; null: nothing has to be sent. */
function collapsed({ entries }: OutboxState, fresh: Entry, payload: unknown, rule: AnyRule) {
  const drop: string[] = []
  let representedBy: string | null = fresh.id
  const mayArrive = (one: Entry) => one.state === 'sending' || one.uncertain
  const lane = entries.filter(
    (one) => isOfLane(one, fresh, fresh.name) && one.state !== 'acknowledged',
  )
  for (const one of lane) {
    if (mayArrive(one)) continue
    const earlier = queued(one)
    const how = earlier && rule.collapse?.(payload, earlier.payload)
    if (!how) continue
    // Refused itself: only the user sends it again.
    const isParked = one.state === 'refused' && !isBehind(one)
    if (how === 'same' && !isParked) representedBy = one.id
    else drop.push(one.id)
    if (how === 'cancel' && !isParked && !lane.some(mayArrive)) representedBy = null
  }
  return { drop, representedBy }
}

/** `id` null: done. Nothing else returns "queued". */
function withSendResult(state: OutboxState, id: string | null): Transition<Sent> {
  const isDone = id === null || !isQueued(state, id)
  return { state, result: isDone ? { kind: 'done' } : { kind: 'queued', id } }
}

function isQueued(state: OutboxState, id: string): id is QueuedId {
  const entry = entryOf(state, id)
  return entry !== undefined && !isRemoved(entry)
}

/** A repeated tap changes nothing, unless the rule merges the payloads. */
function sentAgain(state: OutboxState, waiting: Entry, command: Command, rule: AnyRule) {
  const old = queued(waiting)
  if (!rule.change?.again || !old || (waiting.state !== 'waiting' && waiting.state !== 'refused'))
    return withSendResult(state, waiting.id)
  const payload = rule.change.again(old.payload, command.payload)
  if (waiting.uncertain && hasOtherContent(rule.deliver(old), rule.deliver({ ...old, payload })))
    return { state, result: rejected('maybe_sent') }
  const next: Entry = {
    ...waiting,
    ...weight(payload),
    payload: members(payload),
    ...(!isBehind(waiting) && waitingAgain),
  }
  return withSendResult(renewed(state, next), next.id)
}

/** Under the same key, which may already have an answer [API 2]. */
function hasOtherContent(before: Delivery, after: Delivery) {
  const content = ({ params, body, files }: Delivery) => JSON.stringify([params, body, files])
  return before.key === after.key && content(before) !== content(after)
}

export function weight(payload: unknown): Pick<Entry, 'bytes' | 'wifiOnly'> {
  const { photo, photos = [], wifiOnly = false } = parsed(weighed, payload) ?? {}
  const left = photos.reduce((sum, { bytes, upload }) => sum + (upload === null ? bytes : 0), 0)
  return {
    bytes: JSON.stringify(payload).length + (photo?.bytes ?? 0) + left + OVERHEAD_BYTES,
    wifiOnly,
  }
}

export function queued(entry: Entry): QueuedCommand | null {
  if (!isCommand(entry.name)) return null
  const { id, owner, sequence, bornAt: createdAt } = entry
  const payload = payloadOf(entry.name, entry.payload)
  return payload && { id, owner, sequence, createdAt, payload }
}

export function ruleOf(rules: CommandRules, name: string): AnyRule | null {
  return isCommand(name) ? (rules[name] ?? null) : null
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

/** After an older version arrived: the user decides on the newest. */
export function parkedCopy(
  state: OutboxState,
  entry: Entry,
  id: string,
  now: number,
  { name, payload }: { readonly name: string; readonly payload: unknown } = entry,
) {
  const sequence = state.meta.sequence + 1
  const copy = withServerIds(state, {
    ...entry,
    ...untried,
    name,
    payload: members(payload),
    id,
    sequence,
    bornAt: now,
    state: 'refused',
    problem: { detail: '', code: 'arrived_before_change' },
  })
  return withMeta({ ...state, entries: [...state.entries, copy] }, { sequence })
}

function newEntry(
  { id, name, payload }: Command,
  rule: AnyRule,
  owner: string,
  now: number,
  sequence: number,
): Entry {
  return {
    ...untried,
    id,
    sequence,
    owner,
    lane: rule.lane(payload),
    low: rule.gathered !== undefined,
    name,
    payload: { ...payload },
    state: owner === '' && rule.visitor === 'keep' ? 'signed-out' : 'waiting',
    problem: null,
    bornAt: now,
    ...(rule.gathered && { notBefore: now + GATHER_MS }),
    ...weight(payload),
  }
}

const untried = {
  why: null,
  answer: null,
  after: null,
  triedAt: 0,
  uncertain: false,
  tried: [],
  tries: 0,
  notBefore: 0,
  fence: 0,
}

const GATHER_MS = 15_000
const OVERHEAD_BYTES = 700

function withServerIds(state: OutboxState, entry: Entry) {
  return state.meta.made.reduce(
    (one, made) => (made.owner === entry.owner ? withServerId(one, made) : one),
    entry,
  )
}
