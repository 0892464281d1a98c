import type { CommandName, Payload } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { uuidOf } from '#schema/uuid'
import { sendCommand } from './engine.ts'
import { randomHex } from './session.ts'

/** The only way to write: resolves once stored. `draft`: the draft it consumes. */
export function send<N extends CommandName>(
  name: N,
  payload: Payload<N>,
  id = commandId(),
  draft?: string,
): Promise<SendResult> {
  return sendCommand({ id, name, payload, ...(draft !== undefined && { draft }) })
}

export function commandId(): string {
  return uuidOf(Date.now(), randomHex())
}
