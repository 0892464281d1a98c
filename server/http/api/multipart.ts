import { createHash, hash, randomUUID, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { IMAGE_BYTES } from '#schema/limits'
import type { Call } from '#schema/wire/call'
import { isExhausted } from '../../files/storage.ts'
import {
  type UploadedFile,
  refuse,
  refuseField,
  Refusal,
  soundText,
  unprinted,
} from '../../route/index.ts'

type Form = Readonly<{
  values: Record<string, string | string[]>
  files: Record<string, UploadedFile[]>
  fingerprint: Buffer
}>

const PARTS_MAX = 40

/** Streams files to `folder`; `x[]` is read as `x`. The caller removes the files. */
export async function readMultipart(call: Call, request: Request, folder: string): Promise<Form> {
  await mkdir(folder, { recursive: true })
  const values: Form['values'] = {}
  const files: Form['files'] = {}
  const prints: string[] = []
  const writing: Promise<unknown>[] = []
  const replaced: UploadedFile[] = []
  const left = unprinted(call.body)
  let fault: Refusal | null = null
  const parser = openParser(request, call)
  const fail = (refusal: Refusal) => {
    fault ??= refusal
    parser.destroy()
  }
  parser.on('field', (rawName, value, info) => {
    const name = nameOf(rawName)
    if (info.valueTruncated || info.nameTruncated) fail(refuse('payload_too_large'))
    // the parser replaces bytes that are not UTF-8 with U+FFFD
    else if (!soundText(value) || value.includes('\uFFFD') || !soundText(name))
      fail(refuse('parse_error'))
    else {
      values[name] = name in values ? [values[name] ?? [], value].flat() : value
      if (!left.has(name)) prints.push(`${name}\n${hash('sha256', value, 'hex')}`)
    }
  })
  parser.on('file', (rawName, stream) => {
    // an aborted part must not end the process
    stream.on('error', () => undefined)
    // parts after a refusal would never end
    if (fault !== null) return void stream.destroy()
    const name = nameOf(rawName)
    const max = call.files[name]
    if (max === undefined) return void stream.resume()
    const list = (files[name] ??= [])
    // for a field with one file the last one counts [API 1.1]
    if (max === 1) replaced.push(...list.splice(0))
    if (list.length >= max) {
      stream.resume()
      return fail(refuseField(name, 'too_many_images'))
    }
    const file = { path: join(folder, randomUUID()), bytes: 0, tooLarge: false }
    list.push(file)
    const print = createHash('sha256')
    const sink = createWriteStream(file.path)
    // a file that is still being opened is created later: cleanup waits for its close
    const closed = new Promise((resolve) => sink.once('close', resolve))
    const done = pipeline(stream, counted(file, print), sink).then(() => {
      file.tooLarge = stream.truncated === true
      prints.push(`${name}\n${print.digest('hex')}`)
    })
    writing.push(done, closed)
    // the parser waits for a part that is no longer read
    done.catch((error: unknown) => {
      if (isExhausted(error)) fail(refuse('service_unavailable'))
    })
  })
  parser.on('partsLimit', () => fail(refuse('payload_too_large')))
  try {
    await pipeline(limited(request, call.bodyMax), parser)
    await Promise.all(writing)
  } catch (error) {
    await Promise.allSettled(writing)
    await removeFiles({ ...files, replaced })
    throw fault ?? (error instanceof Refusal ? error : refuse('parse_error'))
  }
  await removeFiles({ replaced })
  const fingerprint = hash('sha256', `form\n${prints.toSorted().join('\n')}`, 'buffer')
  return { values, files, fingerprint }
}

export async function removeFiles(files: Readonly<Record<string, readonly UploadedFile[]>>) {
  await Promise.all(
    Object.values(files)
      .flat()
      .map((file) => rm(file.path, { force: true })),
  )
}

const nameOf = (name: string | undefined) => (name ?? '').replace(/\[\]$/, '')

function openParser(request: Request, call: Call) {
  try {
    return busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      defParamCharset: 'utf8',
      limits: {
        fileSize: IMAGE_BYTES + 1,
        parts: PARTS_MAX,
        fieldSize: Math.min(call.bodyMax, 256 * 1024),
      },
    })
  } catch {
    throw refuse('parse_error')
  }
}

function counted(file: { bytes: number }, hash: Hash) {
  return async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      file.bytes += chunk.byteLength
      hash.update(chunk)
      yield chunk
    }
  }
}

function limited(request: Request, max: number) {
  const body = request.body
  return Readable.from(
    (async function* () {
      let size = 0
      if (body === null) return
      for await (const chunk of body) {
        size += chunk.byteLength
        if (size > max) throw refuse('payload_too_large')
        yield chunk
      }
    })(),
  )
}
