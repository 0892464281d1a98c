import { REQUEST_BYTES } from '#schema/port/service'

/** Origin and length of a body. */
const BODY_HEADERS_BYTES = 52
/** What a multipart body adds to a text, to a file and at its end; its type names the boundary. */
const TEXT_PART_BYTES = 87
const FILE_PART_BYTES = 126
const END_BYTES = 44
const MULTIPART_TYPE_BYTES = 68
/** Of a socket: its handshake both ways, and the head of a frame, which a client masks. */
export const HANDSHAKE = { sent: 490, received: 130 }
const FRAME_BYTES = { sent: 8, received: 4 }

/** Bytes of a request on the wire: its line, its headers and its body. */
export function requestBytes(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | FormData | null,
): number {
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    REQUEST_BYTES.worker + path.length,
  )
  return body === null
    ? head
    : head +
        BODY_HEADERS_BYTES +
        (typeof body === 'string' ? textBytes(body) : MULTIPART_TYPE_BYTES + formBytes(body))
}

/** Bytes of a frame of a socket on the wire. */
export function frameBytes(way: 'sent' | 'received', text: string): number {
  return FRAME_BYTES[way] + textBytes(text)
}

function formBytes(form: FormData): number {
  let bytes = END_BYTES
  for (const [name, value] of form)
    bytes +=
      name.length +
      (typeof value === 'string'
        ? TEXT_PART_BYTES + textBytes(value)
        : FILE_PART_BYTES + value.name.length + value.size)
  return bytes
}

function textBytes(text: string): number {
  return new TextEncoder().encode(text).length
}
