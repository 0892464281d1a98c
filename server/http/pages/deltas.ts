import { hash } from 'node:crypto'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Logger } from 'pino'
import { semaphore } from '../../files/semaphore.ts'
import { acceptedEncodings } from '../api/response.ts'

const compress = promisify(zstdCompress)

/** Builds whose files are kept, this one included. */
const BUILDS_KEPT = 6
const BUILD = /^[\w-]{16}$/
const PART = '.part'
const PART_MS = 3_600_000
/** Of a stream that was compressed with a dictionary; its SHA-256 follows (RFC 9842). */
const MAGIC = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])

/** A file name with the hash of its content: at this address it never changes. */
export const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/

type Served = Readonly<{
  path: string
  etag: string
  forms: Readonly<Record<'identity' | 'br', Buffer | null>>
}>

/**
 * Sends a file as its difference to the file of an earlier build that the browser has: Compression
 * Dictionary Transport (RFC 9842), which Chromium has.
 */
export interface Deltas {
  /** Null: the browser has no such file, or the difference is no smaller than the file. */
  of(request: Request, file: Served): Promise<Buffer | null>
}

/** Which requests may use this file as their dictionary; null: its content is not kept. */
export function patternOf(path: string) {
  return HASHED.test(path) && /\.(?:js|css)$/.test(path) ? path.replace(/-[\w-]{8}\./, '-*.') : null
}

/**
 * Keeps this build's files in `folder`, beside those of the builds that ran before. What cannot be
 * read or written there only makes updates larger.
 */
export async function openDeltas(
  folder: string,
  served: Iterable<Served>,
  log: Logger,
): Promise<Deltas> {
  const files = [...served].filter(({ path }) => patternOf(path) !== null)
  const build = hash(
    'sha256',
    files.map(({ path, etag }) => path + etag).join('\n'),
    'base64url',
  ).slice(0, 16)
  const failed = (error: unknown) => {
    log.warn({ err: error }, 'earlier builds cannot be kept: updates are sent whole')
  }
  await keep(folder, build, files).catch(failed)
  const earlier = await readEarlier(folder, build).catch(failed)
  const made = new Map<string, Promise<Buffer | null>>()
  // Each compression takes a thread and some megabytes: a stranger may ask for every pair at once.
  const turn = semaphore(1)
  return {
    async of(request, file) {
      const digest = /^:([A-Za-z0-9+/]{43}=):$/.exec(
        request.headers.get('Available-Dictionary') ?? '',
      )?.[1]
      const dictionary = digest === undefined ? undefined : earlier?.get(digest)
      if (digest === undefined || dictionary?.pattern !== patternOf(file.path)) return null
      if (!acceptedEncodings(request.headers.get('Accept-Encoding')).has('dcz')) return null
      const key = `${file.path} ${digest}`
      const delta =
        made.get(key) ??
        turn(() => deltaOf(file, dictionary.path, digest)).catch((error: unknown) => {
          made.delete(key)
          failed(error)
          return null
        })
      made.set(key, delta)
      return delta
    },
  }
}

/** Renamed when complete, since several processes may share the folder. */
async function keep(folder: string, build: string, files: readonly Served[]) {
  const now = new Date()
  const to = join(folder, build)
  // The time of its last start decides which builds are removed.
  if (await stat(to).catch(() => null)) return utimes(to, now, now)
  await mkdir(folder, { recursive: true })
  const unfinished = await mkdtemp(join(folder, PART))
  try {
    for (const { path, forms } of files)
      await writeFile(join(unfinished, basename(path)), forms.identity ?? '')
    await rename(unfinished, to)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

interface Kept {
  readonly path: string
  readonly pattern: string | null
}

/** By SHA-256 in base64; removes the oldest builds, and what killed processes left. */
async function readEarlier(folder: string, current: string) {
  const names = await readdir(folder)
  const found = await Promise.all(
    names.map(async (name) => ({ name, time: await timeOf(join(folder, name)) })),
  )
  const old = (time: number) => Date.now() - time > PART_MS
  const builds = found
    .filter(({ name, time }) => BUILD.test(name) && name !== current && time > 0)
    .toSorted((a, b) => b.time - a.time)
  const left = found.filter(({ name, time }) => name.startsWith(PART) && old(time))
  for (const { name } of [...builds.slice(BUILDS_KEPT - 1), ...left])
    await rm(join(folder, name), { recursive: true, force: true })
  const known = new Map<string, Kept>()
  for (const { name } of builds.slice(0, BUILDS_KEPT - 1)) {
    for (const file of await readdir(join(folder, name)).catch(() => [])) {
      const path = join(folder, name, file)
      const bytes = await readFile(path).catch(() => null)
      if (bytes !== null)
        known.set(hash('sha256', bytes, 'base64'), { path, pattern: patternOf(`/assets/${file}`) })
    }
  }
  return known
}

/** Zero: another process removed or renamed it. */
const timeOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

async function deltaOf(file: Served, path: string, digest: string) {
  const dictionary = await readFile(path)
  // A browser would decode a delta to another file without noticing.
  if (hash('sha256', dictionary, 'base64') !== digest || file.forms.identity === null) return null
  const body = await compressWith(dictionary, file.forms.identity)
  const delta = Buffer.concat([MAGIC, Buffer.from(digest, 'base64'), body])
  return delta.byteLength < (file.forms.br?.byteLength ?? Infinity) ? delta : null
}

export const compressWith = (dictionary: Buffer, bytes: Buffer): Promise<Buffer> =>
  compress(bytes, {
    dictionary,
    pledgedSrcSize: bytes.byteLength,
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  })
