import { REQUEST_BYTES } from '#schema/port/service'

const JSON_HEADERS_BYTES = 84
const FORM_HEADERS_BYTES = 164
const TEXT_PART_BYTES = 87
const FILE_PART_BYTES = 126
export const HANDSHAKE_BYTES = { sent: 490, received: 130 }
export const FRAME_BYTES = { sent: 8, received: 4 }

export function requestBytes(
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | FormData | null,
) {
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + name.length + value.length + 4),
    REQUEST_BYTES.worker + path.length,
  )
  if (body === null) return head
  return head + (typeof body === 'string' ? JSON_HEADERS_BYTES + textBytes(body) : formBytes(body))
}

function formBytes(form: FormData) {
  let bytes = FORM_HEADERS_BYTES
  for (const [name, value] of form)
    bytes +=
      name.length +
      (typeof value === 'string'
        ? TEXT_PART_BYTES + textBytes(value)
        : FILE_PART_BYTES + value.name.length + value.size)
  return bytes
}

export function textBytes(text: string) {
  return new TextEncoder().encode(text).length
}
