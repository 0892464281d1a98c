import { sql } from 'kysely'
import type { Job, JobContext } from '../jobs/run.ts'
import type { ImageWorker } from './imageWorker/imageWorker.ts'
import { avifWidthsOf, widthsOf } from './variants.ts'
import type { FileStore } from './storage.ts'

interface Context extends JobContext {
  readonly files: FileStore
  readonly imageWorker: ImageWorker
}

const BATCH = 20
/** After a timeout the next run retries. */
const PATIENCE_MS = 120_000

/** AVIF variants are made after all uploads [API 6.3], and listed once every width exists. */
export const variantsJob: Job<Context> = {
  name: 'variants',
  everyMs: 30_000,
  async run(services) {
    let done = 0
    for (const { hash, width } of await unsettled(services)) {
      const widths = await makeAvif(services, hash, width)
      await settle(services, hash, widths)
      done += widths === null ? 0 : 1
    }
    return done
  },
}

async function unsettled({ database }: Context) {
  const { rows } = await sql<{ hash: string; width: number }>`
    select hash, min(width) as width from (
      select hash, width from picture where settled_at is null and removed_at is null
        and listing_id is not null order by created_at desc limit ${BATCH}) as newest
    group by hash`.execute(database.db)
  return rows
}

/** From the widest variant, since the source is not stored; null when that is gone. */
async function makeAvif({ imageWorker, files }: Context, hash: string, sourceWidth: number) {
  const widest = await files.get(`images/${hash}/${widthsOf(sourceWidth).at(-1)}.webp`)
  if (!widest) return null
  const widths = avifWidthsOf(sourceWidth)
  for (const width of widths) {
    const name = `images/${hash}/${width}.avif`
    // The bytes of an address never change, also not when an encoder does.
    if (await files.get(name)) continue
    const bytes = await imageWorker.avif(widest, width, AbortSignal.timeout(PATIENCE_MS))
    if (!bytes) return null
    await files.put(name, bytes)
  }
  return widths
}

async function settle({ database, clock }: Context, hash: string, widths: number[] | null) {
  await database.db
    .updateTable('picture')
    .set({
      settled_at: clock(),
      ...(widths && { formats: ['avif', 'webp'], avif_widths: widths }),
    })
    .where('hash', '=', hash)
    .execute()
}
