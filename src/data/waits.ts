import * as v from 'valibot'
import type { EngineEvent } from '#schema/port/engine'
import { type Lost, setLost, WAITS } from './lost.ts'
import { keep, stored } from './session.ts'

/** Unsent entries by owner in local storage: after a wipe of the database they are lost. */

type Waits = Extract<EngineEvent, { kind: 'waits' }>

const counts = v.record(v.string(), v.object({ count: v.number(), messages: v.number() }))
const record = v.object({
  born: v.string(),
  waiting: counts,
  lost: v.nullable(v.object({ born: v.string(), of: counts })),
})
type Known = v.InferOutput<typeof record>

let known: Known = read()
let owner = ''

export function receiveWaits(now: Waits) {
  owner = now.owner
  change(counted(before(known, now.born), now))
}

export function forgetLost() {
  const { lost } = known
  if (lost) change({ ...known, lost: { ...lost, of: without(lost.of, owner) } })
}

function before(then: Known, born: string) {
  if (then.born === born) return then
  // A tab that was open restored all of it.
  if (then.lost?.born === born) return { born, waiting: then.lost.of, lost: null }
  if (Object.keys(then.waiting).length === 0) return { ...then, born }
  return {
    born,
    waiting: {},
    lost: { born: then.born, of: summed(then.lost?.of ?? {}, then.waiting) },
  }
}

function counted(then: Known, { owner: whose, count, messages }: Waits) {
  const others = without(then.waiting, whose)
  return { ...then, waiting: count === 0 ? others : { ...others, [whose]: { count, messages } } }
}

function summed(some: Known['waiting'], more: Known['waiting']): Known['waiting'] {
  const all = Object.entries(more).map(([whose, { count, messages }]): [string, Lost] => [
    whose,
    { count: count + (some[whose]?.count ?? 0), messages: messages + (some[whose]?.messages ?? 0) },
  ])
  return { ...some, ...Object.fromEntries(all) }
}

function without(all: Known['waiting'], whose: string): Known['waiting'] {
  return Object.fromEntries(Object.entries(all).filter(([one]) => one !== whose))
}

function change(next: Known) {
  const text = JSON.stringify(next)
  if (text !== JSON.stringify(known)) keep('local', WAITS, text)
  known = next
  setLost(next.lost?.of[owner] ?? null)
}

function read() {
  try {
    return v.parse(record, JSON.parse(stored(WAITS) ?? ''))
  } catch {
    return { born: '', waiting: {}, lost: null }
  }
}
