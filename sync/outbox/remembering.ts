import { type OutboxState, remembered, withMeta } from './state.ts'
import type { Table } from './table.ts'

/**
 * Caches the last state, to restore it if the browser deletes the database under an open tab.
 * `newId` names each database, so that a new one is detected.
 */
export function remembering(table: Table, newId: () => string): Table {
  let last: OutboxState | null = null
  const isWiped = ({ meta }: OutboxState): boolean => {
    const name = last?.meta.born[0]
    return name !== undefined && !meta.born.includes(name)
  }
  const whole = (found: OutboxState): OutboxState => {
    if (last && isWiped(found)) return putBack(found, last)
    return found.meta.born.length === 0 ? withMeta(found, { born: [newId()] }) : found
  }
  const change: Table['change'] = async (work) => {
    let next = last
    const result = await table.change((found) => {
      const done = work(whole(found))
      next = done.state
      return done
    })
    last = next
    return result
  }
  return {
    change,
    async read() {
      const found = await table.read()
      if (isWiped(found)) return change((state) => ({ state, result: state }))
      last = found
      return found
    },
    close: () => table.close(),
  }
}

/**
 * Entries of the database are ordered after those in memory. Also for a tab that had no database
 * until another one created it: both sides count.
 */
function putBack(found: OutboxState, last: OutboxState): OutboxState {
  const { meta } = found
  const isMissing = (here: readonly { readonly id: string }[], id: string): boolean =>
    !here.some((one) => one.id === id)
  const entries = last.entries.filter(
    ({ id }) => isMissing(found.entries, id) && !meta.done.includes(id),
  )
  const behind = found.entries.map((entry) => ({
    ...entry,
    sequence: entry.sequence + last.meta.sequence,
  }))
  const fences = Object.entries(last.meta.fences).map(
    ([owner, fence]) => [owner, Math.max(fence, meta.fences[owner] ?? 0)] as const,
  )
  return {
    ...found,
    entries: [...entries, ...behind],
    texts: [...found.texts, ...last.texts.filter(({ id }) => isMissing(found.texts, id))],
    meta: {
      ...last.meta,
      sequence: last.meta.sequence + meta.sequence,
      fences: { ...meta.fences, ...Object.fromEntries(fences) },
      sessions: [
        ...last.meta.sessions.filter(
          ({ owner }) => !meta.sessions.some((one) => one.owner === owner),
        ),
        ...meta.sessions,
      ],
      lapsed: meta.lapsed === '' ? last.meta.lapsed : meta.lapsed,
      made: [...last.meta.made, ...meta.made],
      claimed: [...last.meta.claimed, ...meta.claimed],
      done: remembered(last.meta.done, ...meta.done),
      born: [...last.meta.born, ...meta.born],
      ended: [...last.meta.ended, ...meta.ended],
    },
  }
}
