import type { Outside } from '../outside.ts'
import { frameBytes, HANDSHAKE } from './size.ts'

export function countedSockets(
  outside: Outside,
  bytes: (sent: number, received: number) => void,
): Outside {
  return {
    ...outside,
    openSocket(path, callbacks) {
      const connection = outside.openSocket(path, {
        ...callbacks,
        onOpen() {
          bytes(HANDSHAKE.sent + path.length, HANDSHAKE.received)
          callbacks.onOpen()
        },
        onMessage(text) {
          bytes(0, frameBytes('received', text))
          callbacks.onMessage(text)
        },
        onClose: (code) => callbacks.onClose(code),
      })
      return {
        send(text) {
          bytes(frameBytes('sent', text), 0)
          connection.send(text)
        },
        close: (code) => connection.close(code),
      }
    },
  }
}
