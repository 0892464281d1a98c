import { sql } from 'kysely'
import type { Job, JobContext } from '../jobs/run.ts'
import type { ImageWorker } from './imageWorker/imageWorker.ts'
import { widthsOf } from './variants.ts'
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
      const made = await makeAvif(services, hash, width)
      await settle(services, hash, made)
      done += made ? 1 : 0
    }
    return done
  },
}

async function unsettled({ database }: Context) {
  const { rows } = await sql<{ hash: string; width: number }>`
    select hash, min(width) as width from (
      select hash, width from picture where settled_at is null and removed_at is null
        and listing_id is not null order by created_at limit ${BATCH}) as oldest
    group by hash`.execute(database.db)
  return rows
}

/** From the widest variant, since the source is not stored; false when that is gone. */
async function makeAvif(
  { imageWorker, files }: Context,
  hash: string,
  sourceWidth: number,
): Promise<boolean> {
  const widths = widthsOf(sourceWidth)
  const widest = await files.get(`images/${hash}/${widths.at(-1)}.webp`)
  if (!widest) return false
  for (const width of widths) {
    const bytes = await imageWorker.avif(widest, width, AbortSignal.timeout(PATIENCE_MS))
    if (!bytes) return false
    await files.put(`images/${hash}/${width}.avif`, bytes)
  }
  return true
}

async function settle({ database, clock }: Context, hash: string, made: boolean): Promise<void> {
  await database.db
    .updateTable('picture')
    .set({ settled_at: clock(), ...(made ? { formats: ['avif', 'webp'] } : {}) })
    .where('hash', '=', hash)
    .execute()
}
