import type { Outside } from '../outside.ts'
import type { DeviceDb } from './deviceDb.ts'
import { remembering } from './remembering.ts'
import { emptyState, type OutboxState } from './state.ts'
import type { Table } from './table.ts'

/**
 * The outbox table of a device. Where the database does not exist yet, the state is in memory until
 * something must be kept.
 */
export function tableOn(
  device: Pick<DeviceDb, 'exists' | 'open' | 'close'>,
  newId: Outside['newId'],
): Table {
  let memory = emptyState
  let isOpening = false
  const table = async (): Promise<Table> => {
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
        // Another tab may have created the database meanwhile, or another call of this one.
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
      close: () => device.close(),
    },
    newId,
  )
}

/** A visitor's views, language and leadership may be lost with the page. */
function mustBeKept({ entries, texts, meta }: OutboxState): boolean {
  return (
    entries.some(({ low }) => !low) ||
    [texts, meta.sessions, meta.ended, meta.made].some((rows) => rows.length > 0)
  )
}
