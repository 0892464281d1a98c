import type { Entry } from '#schema/disk/entry'
import type { CommandRules } from '../noun.ts'
import { isCommand, queued } from './accept.ts'
import { type Book, withEntries } from './book.ts'
import type { Marked } from './marks.ts'
import { REMOVED } from './settle.ts'

/** What a person does to an entry of their own: null when it was done, else the code of why not. */
export type Amended = Marked<string | null>

/** Only what surely never reached the server can still be changed under its key. */
export function edit(book: Book, owner: string, id: string, content: string, rules: CommandRules): Amended {
  const entry = book.entries.find((one) => one.id === id && one.owner === owner)
  const seen = entry && queued(entry)
  if (!entry || !seen || !isCommand(entry.name)) return { book, result: 'not_found' }
  const rule = rules[entry.name]
  if (entry.state === 'sending' || entry.state === 'acknowledged' || entry.doubt) return { book, result: 'maybe_sent' }
  const payload: unknown = reworded(rule, seen.payload, content)
  const changed = { ...entry, payload: isRecord(payload) ? payload : entry.payload }
  if (!queued(changed)) return { book, result: 'invalid' }
  const again: Entry = entry.state === 'refused' ? { ...changed, state: 'waiting', problem: null, why: null, notBefore: 0 } : changed
  return { book: withEntries(book, (one) => (one.id === id ? again : one.after === id && one.why === 'behind' ? freed(one) : one)), result: null }
}

/** Takes it away for good; what waited for it takes its place, or goes with it. */
export function remove(book: Book, owner: string, id: string, rules: CommandRules): Amended {
  const entry = book.entries.find((one) => one.id === id && one.owner === owner)
  if (!entry) return { book, result: null }
  if (entry.state === 'sending' || entry.state === 'acknowledged') return { book, result: 'maybe_sent' }
  const gone = withEntries(book, (one) => (one.id === id ? removed(one) : one))
  const [heir, ...others] = gone.entries.filter((one) => one.after === id)
  if (!heir) return { book: gone, result: null }
  const inherits = heirOf(heir, entry, rules)
  const next = withEntries(gone, (one) => {
    if (one.id === heir.id) return inherits ?? removed(one)
    if (others.some((other) => other.id === one.id)) return inherits ? { ...freed(one), after: inherits.id } : removed(one)
    return one
  })
  return { book: next, result: null }
}

function heirOf(heir: Entry, entry: Entry, rules: CommandRules): Entry | null {
  const seen = queued(heir)
  if (!seen || !isCommand(heir.name) || !isCommand(entry.name)) return null
  const rule: { orphaned?(payload: unknown, removed: unknown): { readonly name: string; readonly payload: unknown } | null } = rules[heir.name]
  const next = rule.orphaned?.(seen.payload, { name: entry.name, payload: entry.payload }) ?? null
  return next && isRecord(next.payload) ? { ...freed(heir), name: next.name, payload: next.payload, after: entry.after } : null
}

/** Not parked any more with the one it waited for. */
function freed(entry: Entry): Entry {
  return entry.why === 'behind' ? { ...entry, state: 'waiting', why: null, problem: null, notBefore: 0 } : entry
}

function removed(entry: Entry): Entry {
  return { ...entry, state: 'acknowledged', answer: null, why: null, problem: { detail: '', code: REMOVED } }
}

function reworded(rule: { edit?(payload: unknown, content: string): unknown }, payload: unknown, content: string): unknown {
  return rule.edit?.(payload, content)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
