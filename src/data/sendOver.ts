import type { Command } from '#schema/port/command'
import type { EnginePort } from '#schema/port/engine'
import type { SendResult } from '#schema/port/outcome'

export interface Link {
  readonly port: Pick<EnginePort, 'send'>
  /** Rejects when the worker behind the port is replaced. */
  readonly gone: Promise<never>
}

/**
 * A worker that dies on the way gives way to the next, which is told the same command; an engine that fails is no reason to ask
 * again. Who wrote it must still be in: `token` names them.
 */
export async function sendOver(
  command: Command,
  link: () => Link,
  token: () => string | null,
): Promise<SendResult> {
  const writer = token()
  while (token() === writer) {
    const { port, gone } = link()
    try {
      // oxlint-disable-next-line no-await-in-loop
      const sent = await Promise.race([port.send(command), gone.catch(() => null)])
      if (sent) return sent
    } catch (error) {
      console.warn('engine', error)
      return { kind: 'unstorable', why: 'broken' }
    }
  }
  return { kind: 'refused', code: 'not_authenticated', field: null }
}
