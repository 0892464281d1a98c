import { REQUEST_BYTES } from '#schema/port/service'
import type { Outside } from '../outside.ts'

const BODY_HEADERS_BYTES = 52
/** Of multipart: a text part, a file part, the end, the content type with its boundary. */
const TEXT_PART_BYTES = 87
const FILE_PART_BYTES = 126
const END_BYTES = 44
const JSON_TYPE_BYTES = 32
const MULTIPART_TYPE_BYTES = 68
const HANDSHAKE = { sent: 490, received: 130 }
/** Clients send a mask. */
const FRAME_BYTES = { sent: 8, received: 4 }

/** An estimate, with request line and content type. */
export function requestBytes(
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | FormData | null,
): number {
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + name.length + value.length + 4),
    REQUEST_BYTES.worker + path.length,
  )
  if (body === null) return head
  const content =
    typeof body === 'string'
      ? JSON_TYPE_BYTES + textBytes(body)
      : MULTIPART_TYPE_BYTES + formBytes(body)
  return head + BODY_HEADERS_BYTES + content
}

export function frameBytes(way: 'sent' | 'received', text: string): number {
  return FRAME_BYTES[way] + textBytes(text)
}

function formBytes(form: FormData) {
  let bytes = END_BYTES
  for (const [name, value] of form)
    bytes +=
      name.length +
      (typeof value === 'string'
        ? TEXT_PART_BYTES + textBytes(value)
        : FILE_PART_BYTES + value.name.length + value.size)
  return bytes
}

export function textBytes(text: string): number {
  return new TextEncoder().encode(text).length
}

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
      })
      return {
        ...connection,
        send(text) {
          bytes(frameBytes('sent', text), 0)
          connection.send(text)
        },
      }
    },
  }
}
