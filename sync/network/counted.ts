import type { Outside } from '../outside.ts'
import { frameBytes, HANDSHAKE } from './size.ts'

export function countedSockets(
  outside: Outside,
  bytes: (sent: number, received: number) => void,
): Outside {
  return {
    ...outside,
    openSocket(path, hears) {
      const dialled = outside.openSocket(path, {
        ...hears,
        onOpen() {
          bytes(HANDSHAKE.sent + path.length, HANDSHAKE.received)
          hears.onOpen()
        },
        onMessage(text) {
          bytes(0, frameBytes('received', text))
          hears.onMessage(text)
        },
        onClose: (code) => hears.onClose(code),
      })
      return {
        send(text) {
          bytes(frameBytes('sent', text), 0)
          dialled.send(text)
        },
        close: (code) => dialled.close(code),
      }
    },
  }
}
