import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import sharp from 'sharp'
import { Person } from '../support/api.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { openImageWorker } from '../../server/files/imageWorker/imageWorker.ts'
import { keepPicture } from '../../server/files/pictures.ts'
import { folderStore } from '../../server/files/storage.ts'
import { type Figure, median, percentile } from './measure.ts'

const ROUNDS = 5
const UPLOADS = 5

async function photo(): Promise<Buffer> {
  const shapes = await sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  const grain = await sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(shapes)
    .resize(4000, 3000, { kernel: 'cubic' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** Time from a photo's bytes to all variants on disk, event-loop delay, and the effect on reads. */
export async function photos(): Promise<readonly Figure[]> {
  const bytes = await photo()
  const { whole, waits, works } = await pipeline(bytes)
  const others = await beside(bytes)
  return [
    {
      what: `12-megapixel photo (${Math.round(bytes.byteLength / 1024)} KB) to all variants on disk`,
      value: median(whole),
      unit: 'ms',
      reach: 2000,
    },
    {
      what: 'longest wait of the event loop during it',
      value: median(waits),
      unit: 'ms',
      reach: 50,
    },
    {
      what: 'most work of the event loop’s own thread between two turns of it',
      value: median(works),
      unit: 'ms',
      reach: 50,
    },
    {
      what: 'another request during uploads, p99',
      value: others.busy,
      unit: 'ms',
      baseline: { name: 'idle', value: others.idle },
      reach: 2,
    },
  ]
}

async function pipeline(
  bytes: Buffer,
): Promise<{ whole: number[]; waits: number[]; works: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'photos-'))
  const store = folderStore(folder)
  const imageWorker = openImageWorker(pino({ level: 'silent' }))
  const path = join(folder, 'sent')
  const [whole, waits, works]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    let [longest, most] = [0, 0]
    let [last, spent] = [performance.now(), threadMs()]
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last - 5)
      most = Math.max(most, threadMs() - spent)
      ;[last, spent] = [performance.now(), threadMs()]
    }, 5)
    const began = performance.now()
    // A different photo each time: a JPEG may have trailing bytes.
    writeFileSync(path, Buffer.concat([bytes, Buffer.from([round])]))
    const prepared = await imageWorker.photo(path, new AbortController().signal)
    if ('code' in prepared) throw new Error(prepared.code)
    await keepPicture(store, prepared)
    clearInterval(watch)
    if (round === 0) continue
    whole.push(performance.now() - began)
    waits.push(longest)
    works.push(most)
  }
  await imageWorker.close()
  discard(folder)
  return { whole, waits, works }
}

/** CPU time of this thread; on a busy machine the wall-clock wait is mostly the machine's. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function beside(bytes: Buffer): Promise<{ idle: number; busy: number }> {
  const market = await startProduct({
    env: { DEMO_LISTINGS: '200', DEMO_USERS: '50', RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  })
  try {
    const seller = await new Person(market.url).signIn('vendeur')
    await reading(market, 1000, () => false)
    const [idle, busy]: [number[], number[]] = [[], []]
    // In turns, so that other load of the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      idle.push(percentile(await reading(market, 3000, () => false), 0.99))
      let uploading = true
      const uploads = (async () => {
        for (let at = 0; at < UPLOADS; at += 1)
          await upload(market, seller.token, Buffer.concat([bytes, Buffer.from([round, at])]))
        uploading = false
      })()
      busy.push(percentile(await reading(market, 60_000, () => !uploading), 0.99))
      await uploads
    }
    return { idle: median(idle), busy: median(busy) }
  } finally {
    await market.stop()
  }
}

/** Small reads at a steady rate, for `ms` or until `done`. */
async function reading(market: Product, ms: number, done: () => boolean): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + ms
  while (performance.now() < until && !done()) {
    const began = performance.now()
    const answer = await fetch(`${market.url}/api/listings/?page_size=20`)
    await answer.arrayBuffer()
    times.push(performance.now() - began)
    await pause(5)
  }
  return times
}

async function upload(market: Product, token: string, bytes: Buffer): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  const answer = await fetch(`${market.url}/api/uploads/`, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}
