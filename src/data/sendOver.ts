import type { Command } from '#schema/port/command'
import type { EnginePort } from '#schema/port/engine'
import type { SendResult } from '#schema/port/outcome'

export interface Link {
  readonly port: Pick<EnginePort, 'send'>
  readonly gone: Promise<never>
}

/**
 * If the worker dies halfway, the next one gets the command, with the same idempotency key. Stops
 * when the user (`token`) changes.
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
