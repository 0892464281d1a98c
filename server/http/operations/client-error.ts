import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../error-code.ts'
import { problemOf } from '../api/problem.ts'
import { Refusal } from '../../route/index.ts'

/**
 * Bytes that are no HTTP request get a JSON error [API 1.1, API 1.4]. The language is unknown:
 * French.
 */
export function refuseConnection(error: Error, socket: Duplex) {
  const code = codeOf(error)
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = new Refusal(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'parse_error')
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : refusal.status
  const requestId = randomUUID()
  const body = JSON.stringify(problemOf(refusal, 'fr', requestId))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Language: fr',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Referrer-Policy: no-referrer',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
