import type { Outside } from '../outside.ts'
import { frameBytes, HANDSHAKE } from './size.ts'

/** The same outside, whose sockets say how many bytes went over the air. */
export function countedSockets(outside: Outside, bytes: (sent: number, received: number) => void): Outside {
  return {
    ...outside,
    dial(path, hears) {
      const dialled = outside.dial(path, {
        ...hears,
        opened() {
          bytes(HANDSHAKE.sent + path.length, HANDSHAKE.received)
          hears.opened()
        },
        heard(text) {
          bytes(0, frameBytes('received', text))
          hears.heard(text)
        },
        closed: (code) => hears.closed(code),
      })
      return {
        say(text) {
          bytes(frameBytes('sent', text), 0)
          dialled.say(text)
        },
        close: (code) => dialled.close(code),
      }
    },
  }
}
