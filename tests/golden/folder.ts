import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draftPhoto, listingDraft } from '#schema/disk/draft'
import { entry } from '#schema/disk/entry'
import { commands } from '#schema/port/command'
import { meta, keptText } from '#sync/outbox/state'
import { toJsonSchema } from '@valibot/to-json-schema'

/** `vN` beside this file: rows and shapes of every durable store, as one release wrote them. */
export const HERE = import.meta.dirname

export const STORES = ['entries', 'texts', 'meta', 'seen', 'bytes', 'drafts', 'photos'] as const
export const NAME = 'golden'

export function releases(): readonly number[] {
  return readdirSync(HERE)
    .flatMap((name) => /^v(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** Releases 1 and 2 had no Dexie: drafts were in another database, and a store had another name. */
export function isBeforeDexie(release: number): boolean {
  return release <= 2
}

export function rowsOf(
  release: number,
  store: (typeof STORES)[number],
): readonly Record<string, unknown>[] {
  const rows = readRelease(release, store === 'meta' && isBeforeDexie(release) ? 'desk' : store)
  if (!Array.isArray(rows)) throw new TypeError(store)
  return rows.map((row: unknown) => Object.assign({}, row))
}

export function readRelease(release: number, file: string): unknown {
  return JSON.parse(readFileSync(join(HERE, `v${release}`, `${file}.json`), 'utf8'), revive)
}

export async function writeRelease(release: number, file: string, rows: unknown): Promise<void> {
  const folder = join(HERE, `v${release}`)
  if (!existsSync(folder)) mkdirSync(folder)
  writeFileSync(join(folder, `${file}.json`), `${JSON.stringify(await plain(rows), null, 1)}\n`)
}

/** Schemas of everything that must survive a new release. */
export function shapes(): unknown {
  const read = (schema: Parameters<typeof toJsonSchema>[0]): unknown =>
    toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' })
  return JSON.parse(
    JSON.stringify({
      entry: read(entry),
      text: read(keptText),
      meta: read(meta),
      draft: read(listingDraft),
      photo: read(draftPhoto),
      payloads: Object.fromEntries(
        Object.entries(commands).map(([name, schema]) => [name, read(schema)]),
      ),
    }),
  )
}

/** JSON has no Blob: stores its bytes and type. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob)
    return { $blob: Buffer.from(await value.arrayBuffer()).toString('base64'), type: value.type }
  if (Array.isArray(value)) return Promise.all(value.map(plain))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    await Promise.all(
      Object.entries(value).map(async ([key, part]): Promise<[string, unknown]> => [
        key,
        await plain(part),
      ]),
    ),
  )
}

function revive(_key: string, value: unknown): unknown {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('$blob' in value) ||
    typeof value.$blob !== 'string'
  )
    return value
  return new Blob([Buffer.from(value.$blob, 'base64')], {
    type: 'type' in value ? String(value.type) : '',
  })
}
