import { mkdtempSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import sharp from 'sharp'
import { readConfig } from '../../server/config.ts'
import type { Database } from '../../server/db/open.ts'
import { things } from '../../server/demo/pictures.ts'
import { type Part, preparePicture } from '../../server/files/imageWorker/render.ts'
import { keepPicture } from '../../server/files/pictures.ts'
import { semaphore } from '../../server/files/semaphore.ts'
import type { FileStore } from '../../server/files/storage.ts'
import { variantsJob } from '../../server/files/avif.ts'
import { openAll } from '../../server/open.ts'
import { heavyPhoto } from '../support/heavyPhotos.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'

const folder = join(import.meta.dirname, '../../server/demo/pictures')

interface Source {
  readonly file: string
  /** A detail; null: all of it. */
  readonly part: Part | null
}

/** Where each photo of the demo comes from, by hash. */
const sources = new Map<string, Source>(
  things.flatMap(({ photos }) =>
    photos.flatMap(({ file, hash, details }) => [
      [hash, { file, part: null }] as const,
      ...details.map((part) => [part.hash, { file, part }] as const),
    ]),
  ),
)

/**
 * The product on the demo market, where the newest listings show photo-like pictures, stored as if
 * their sellers had sent them; AVIF included.
 */
export async function startHeavyMarket(
  newest: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heavy-market-'))
  const config = readConfig({ ...env, DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const { services, close } = await openAll(config, pino({ level: 'silent' }))
  try {
    await replace(services.database, services.files, newest)
    while ((await variantsJob.run(services)) > 0);
  } finally {
    await close()
  }
  const product = await startProduct({ dataDir, env: { ...env, RATE_LIMITS: 'off' } })
  return {
    ...product,
    async stop(signal) {
      await product.stop(signal)
      discard(dataDir)
    },
  }
}

async function replace({ db }: Database, files: FileStore, newest: number): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    select distinct hash from picture where listing_id in (
      select id from listing where review_status = 'approved' and not is_sold and not is_archived
      order by is_featured desc, posted_at desc limit ${newest})`.execute(db)
  const limited = semaphore(availableParallelism())
  await Promise.all(
    rows.map(({ hash: shown }) =>
      limited(async () => {
        const source = sources.get(shown)
        if (source === undefined) return
        const prepared = await preparePicture(await heavyPhoto(await pictureOf(source)))
        if ('code' in prepared) throw new Error(prepared.code)
        await keepPicture(files, prepared)
        const { hash, width, height, bytes, thumbhash, color } = prepared
        await db
          .updateTable('picture')
          .set({ hash, width, height, bytes, thumbhash, color, settled_at: null })
          .where('hash', '=', shown)
          .execute()
      }),
    ),
  )
}

async function pictureOf({
  file,
  part,
}: {
  readonly file: string
  readonly part: { left: number; top: number; width: number; height: number } | null
}): Promise<Uint8Array> {
  const whole = readFileSync(join(folder, file))
  if (part === null) return whole
  const { left, top, width, height } = part
  return sharp(whole).extract({ left, top, width, height }).webp({ lossless: true }).toBuffer()
}
