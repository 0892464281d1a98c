import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'

const compress = promisify(zstdCompress)

/** Builds whose files are kept, this one included. */
const BUILDS_KEPT = 6
/** Of a stream that was compressed with a dictionary; its SHA-256 follows (RFC 9842). */
const MAGIC = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])

/** A file name with the hash of its content: at this address it never changes. */
export const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/

interface Served {
  readonly path: string
  readonly etag: string
  readonly forms: Readonly<Record<'identity' | 'br', Buffer | null>>
}

/**
 * Sends a file as its difference to the file of an earlier build that the browser has: Compression
 * Dictionary Transport (RFC 9842), which Chromium has.
 */
export interface Deltas {
  /** Null: the browser has no such file, or the difference is no smaller than the file. */
  of(request: Request, file: Served): Promise<Buffer | null>
}

/** Which requests may use this file as their dictionary; null: its content is not kept. */
export function patternOf(path: string): string | null {
  return HASHED.test(path) && /\.(?:js|css)$/.test(path) ? path.replace(/-[\w-]{8}\./, '-*.') : null
}

/** Keeps this build's files in `folder`, beside those of the builds that ran before. */
export async function openDeltas(folder: string, served: Iterable<Served>): Promise<Deltas> {
  const files = [...served].filter(({ path }) => patternOf(path) !== null)
  const build = hash('sha256', files.map(({ path, etag }) => path + etag).join('\n')).slice(0, 16)
  await keep(join(folder, build), files)
  const earlier = await readEarlier(folder, build)
  const made = new Map<string, Promise<Buffer | null>>()
  return {
    async of(request, file) {
      const digest = /^:([A-Za-z0-9+/]{43}=):$/.exec(
        request.headers.get('Available-Dictionary') ?? '',
      )?.[1]
      const dictionary = digest === undefined ? undefined : earlier.get(digest)
      if (digest === undefined || dictionary?.pattern !== patternOf(file.path)) return null
      if (!accepts(request.headers.get('Accept-Encoding'))) return null
      const key = `${file.path} ${digest}`
      const delta = made.get(key) ?? deltaOf(file, dictionary.path, digest)
      made.set(key, delta)
      return delta
    },
  }
}

const accepts = (header: string | null): boolean =>
  parseAccept(header ?? '').some(({ type, q }) => type.toLowerCase() === 'dcz' && q > 0)

/** Renamed when complete, since several processes may share the folder. */
async function keep(folder: string, files: readonly Served[]): Promise<void> {
  const now = new Date()
  // The time of its last start decides which builds are removed.
  if (await stat(folder).catch(() => null)) return utimes(folder, now, now)
  const unfinished = `${folder}.${process.pid}.part`
  await mkdir(unfinished, { recursive: true })
  for (const { path, forms } of files)
    await writeFile(join(unfinished, basename(path)), forms.identity ?? '')
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }))
}

interface Kept {
  readonly path: string
  readonly pattern: string | null
}

/** By SHA-256 in base64; removes the oldest builds. */
async function readEarlier(folder: string, current: string): Promise<ReadonlyMap<string, Kept>> {
  const builds = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      name,
      time: (await stat(join(folder, name))).mtimeMs,
    })),
  )
  builds.sort((a, b) => b.time - a.time)
  for (const { name } of builds.slice(BUILDS_KEPT))
    await rm(join(folder, name), { recursive: true, force: true })
  const known = new Map<string, Kept>()
  for (const { name } of builds.slice(0, BUILDS_KEPT)) {
    if (name === current) continue
    for (const file of await readdir(join(folder, name))) {
      const path = join(folder, name, file)
      const digest = hash('sha256', await readFile(path), 'base64')
      known.set(digest, { path, pattern: patternOf(`/assets/${file}`) })
    }
  }
  return known
}

async function deltaOf(file: Served, path: string, digest: string): Promise<Buffer | null> {
  const dictionary = await readFile(path).catch(() => null)
  if (dictionary === null || file.forms.identity === null) return null
  const body = await compressWith(dictionary, file.forms.identity)
  const delta = Buffer.concat([MAGIC, Buffer.from(digest, 'base64'), body])
  return delta.byteLength < (file.forms.br?.byteLength ?? Infinity) ? delta : null
}

export const compressWith = (dictionary: Buffer, bytes: Buffer): Promise<Buffer> =>
  compress(bytes, { dictionary, params: { [constants.ZSTD_c_compressionLevel]: 19 } })
