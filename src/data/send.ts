import type { CommandName, Payload } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { uuidOf } from '#schema/uuid'
import { sendCommand } from './engine.ts'

/**
 * The only way to write: resolves once stored. `id`: the idempotency key; `draft`: the draft it
 * consumes.
 */
export function send<N extends CommandName>(
  name: N,
  payload: Payload<N>,
  id = commandId(),
  draft?: string,
): Promise<SendResult> {
  return sendCommand({ id, name, payload, ...(draft !== undefined && { draft }) })
}

export function commandId(): string {
  // Not `randomUUID`, which insecure contexts lack.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return uuidOf(
    Date.now(),
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  )
}
