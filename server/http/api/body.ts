import { isMembers } from '#schema/members'
import { hash } from 'node:crypto'
import { JSON_BYTES } from '#schema/limits'
import { stableJson } from '#schema/stableJson'
import type { Call } from '#schema/wire/call'
import { refuse, Refusal, type RawBody, soundText, unprinted } from '../../route/index.ts'
import { readMultipart } from './multipart.ts'

const DEPTH = 20
const READ_MS = 30_000

export async function readBody(call: Call, request: Request, folder: string): Promise<RawBody> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (request.headers.get('content-encoding') !== null) throw refuse('unsupported_media_type')
  const multipart =
    type === 'multipart/form-data' && (call.form === 'both' || call.form === 'multipart')
  // the larger limit of photos does not apply to JSON [API 1.2]
  const max = multipart ? call.bodyMax : Math.min(call.bodyMax, JSON_BYTES)
  if (Number(request.headers.get('content-length') ?? 0) > max) throw refuse('payload_too_large')
  if (multipart) return { ...(await readMultipart(call, request, folder)), source: 'form' }
  const bytes = await readAll(request, max)
  if (bytes.byteLength === 0)
    return { values: {}, source: 'json', files: {}, fingerprint: print(call, {}) }
  if (type !== 'application/json' && call.form !== 'text') throw refuse('unsupported_media_type')
  if (call.form === 'multipart') throw refuse('unsupported_media_type')
  const read = parse(bytes)
  const isSound = sound(read, DEPTH)
  if (call.form !== 'text' && !(isSound && isMembers(read))) throw refuse('parse_error')
  // valid JSON of telemetry is never refused, but unsound values are dropped [API 15]
  const values = isSound ? read : {}
  return { values, source: 'json', files: {}, fingerprint: print(call, values) }
}

/** A slow sender is cut off ([API 1.1], deadline). */
async function readAll(request: Request, max: number) {
  if (request.body === null) return Buffer.alloc(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let slow = false
  const timer = setTimeout(() => {
    slow = true
    // the pending read resolves as if the body had ended
    reader.cancel().catch(() => undefined)
  }, READ_MS)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > max) throw refuse('payload_too_large')
      chunks.push(part.value)
    }
  } catch (error) {
    // the client disconnected: not a server error
    throw error instanceof Refusal ? error : refuse('parse_error')
  } finally {
    clearTimeout(timer)
  }
  if (slow) throw refuse('service_unavailable')
  return Buffer.concat(chunks)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refuse('parse_error')
  }
}

/** No lone surrogates, NUL, or more than `depth` levels. */
function sound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return soundText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([name, member]) => soundText(name) && sound(member, depth - 1),
  )
}

function print(call: Call, values: unknown): Buffer {
  const left = unprinted(call.body)
  const members = isMembers(values)
    ? Object.entries(values).filter(([name]) => !left.has(name))
    : [['body', values]]
  return hash('sha256', `json\n${stableJson(Object.fromEntries(members))}`, 'buffer')
}
