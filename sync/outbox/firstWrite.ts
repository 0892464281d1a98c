import type { Outside } from '../outside.ts'
import type { DeviceDb } from './deviceDb.ts'
import { emptyState, type OutboxState, remembered, withMeta } from './state.ts'
import type { Table } from './table.ts'

export function tableOn(device: Omit<DeviceDb, 'meter'>, newId: Outside['newId']): Table {
  let memory = emptyState
  let isOpening = false
  const table = async () => {
    isOpening = true
    try {
      return (await device.open()).table
    } catch (error) {
      isOpening = false
      throw error
    }
  }
  return remembering(
    {
      async change(work) {
        // Another tab may have created it, or another call.
        if (!(await device.exists()) && !isOpening) {
          const { state, result } = work(memory)
          if (!mustBeKept(state)) {
            memory = state
            return result
          }
        }
        return (await table()).change(work)
      },
      read: async () => ((await device.exists()) ? (await table()).read() : memory),
      close: device.close,
    },
    newId,
  )
}

function mustBeKept({ entries, texts, meta }: OutboxState) {
  return (
    entries.some(({ low }) => !low) ||
    [texts, meta.sessions, meta.ended, meta.made].some((rows) => rows.length > 0)
  )
}

/**
 * Restores the last state if the browser deletes the database under an open tab. `newId` names each
 * database.
 */
export function remembering(table: Table, newId: () => string): Table {
  let last: OutboxState | null = null
  const isWiped = ({ meta }: OutboxState) => {
    const name = last?.meta.born[0]
    return name !== undefined && !meta.born.includes(name)
  }
  const whole = (found: OutboxState) => {
    if (last && isWiped(found)) return merged(found, last)
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
    ...table,
    change,
    async read() {
      const found = await table.read()
      if (isWiped(found)) return change((state) => ({ state, result: state }))
      last = found
      return found
    },
  }
}

/**
 * For a database without this tab's state: the browser deleted the earlier one, or another tab
 * created the first. The tab's entries come first.
 */
function merged(found: OutboxState, last: OutboxState) {
  const { meta } = found
  const isMissing = (here: readonly { readonly id: string }[], id: string) =>
    !here.some((one) => one.id === id)
  const entries = last.entries.filter(
    ({ id }) => isMissing(found.entries, id) && !meta.done.includes(id),
  )
  const behind = found.entries.map((entry) => ({
    ...entry,
    sequence: entry.sequence + last.meta.sequence,
  }))
  const fences = { ...last.meta.fences }
  for (const [owner, fence] of Object.entries(meta.fences))
    fences[owner] = Math.max(fence, fences[owner] ?? 0)
  const sessions = last.meta.sessions.filter(
    ({ owner }) => !meta.sessions.some((one) => one.owner === owner),
  )
  return {
    ...found,
    entries: [...entries, ...behind],
    texts: [...found.texts, ...last.texts.filter(({ id }) => isMissing(found.texts, id))],
    meta: {
      ...last.meta,
      sequence: last.meta.sequence + meta.sequence,
      fences,
      sessions: sessions.concat(meta.sessions),
      lapsed: meta.lapsed || last.meta.lapsed,
      made: last.meta.made.concat(meta.made),
      claimed: last.meta.claimed.concat(meta.claimed),
      done: remembered(last.meta.done, ...meta.done),
      born: last.meta.born.concat(meta.born),
      ended: last.meta.ended.concat(meta.ended),
    },
  }
}
