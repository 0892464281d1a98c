import { createHash } from 'node:crypto'
import { JSON_BYTES } from '#schema/limits'
import type { Call } from '#schema/wire/call'
import { refuse, Refusal } from './refusal.ts'
import { readMultipart, type UploadedFile } from './multipart.ts'
import { isRecord, soundText, unprinted, type Source } from './values.ts'

/** A body as it came, before any schema: its values, its files, and what makes a repeat of it the same [API 2]. */
export interface RawBody {
  readonly values: unknown
  readonly source: Source
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fingerprint: Buffer
}

const DEPTH = 20
const READ_MS = 30_000

/** Reads the body that a call takes; refuses wrong types, sizes and anything that is no JSON object. */
export async function readBody(call: Call, request: Request, folder: string): Promise<RawBody> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (request.headers.get('content-encoding') !== null) throw refuse('unsupported_media_type')
  const multipart =
    type === 'multipart/form-data' && (call.form === 'both' || call.form === 'multipart')
  // room for photos is no room for JSON [API 1.2]
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
  if (call.form !== 'text' && !(isSound && isRecord(read))) throw refuse('parse_error')
  // telemetry that is JSON is never refused, but nothing unsound is kept of it [API 15]
  const values = isSound ? read : {}
  return { values, source: 'json', files: {}, fingerprint: print(call, values) }
}

/** The bytes of a small body; a sender that takes too long is cut ([API 1.1], deadline). */
async function readAll(request: Request, max: number): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let slow = false
  const timer = setTimeout(() => {
    slow = true
    // what was asked of the reader resolves as if the body had ended
    reader.cancel().catch(() => undefined)
  }, READ_MS)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > max) throw refuse('payload_too_large')
      chunks.push(part.value)
    }
  } catch (error) {
    // the sender hung up: nobody hears this, and it is no fault of ours
    throw error instanceof Refusal ? error : refuse('parse_error')
  } finally {
    clearTimeout(timer)
  }
  if (slow) throw refuse('service_unavailable')
  return Buffer.concat(chunks)
}

/** JSON in UTF-8. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refuse('parse_error')
  }
}

/** Without lone surrogates, NUL and deep nesting, wherever they might stand. */
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
  const members = isRecord(values)
    ? Object.entries(values).filter(([name]) => !left.has(name))
    : [['body', values]]
  return createHash('sha256')
    .update(`json\n${canonical(Object.fromEntries(members))}`)
    .digest()
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isRecord(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join()}}`
}
