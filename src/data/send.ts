import type { CommandName, Payload } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
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
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(Date.now() / 2 ** 32))
  view.setUint32(2, Date.now() % 2 ** 32)
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f))
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}
