import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImageWorker, Overloaded, type ImageWorker } from './imageWorker.ts'

const log = pino({ level: 'silent' })
const never = new AbortController().signal

describe('the real process', () => {
  let imageWorker: ImageWorker
  let folder: string
  beforeAll(async () => {
    imageWorker = openImageWorker(log)
    folder = await mkdtemp(join(tmpdir(), 'imageWorker-'))
  })
  afterAll(async () => {
    await imageWorker.close()
    await rm(folder, { recursive: true })
  })

  async function photo(width: number): Promise<string> {
    const path = join(folder, `${width}`)
    await writeFile(
      path,
      await sharp({ create: { width, height: 300, channels: 3, background: '#336699' } })
        .jpeg()
        .toBuffer(),
    )
    return path
  }

  test('[S4.19] returns a photo, an avatar, or one variant as AVIF', async () => {
    const path = await photo(400)
    const made = await imageWorker.photo(path, never)
    if ('code' in made) throw new Error(made.code)
    expect([made.width, [...made.files.keys()]]).toEqual([
      400,
      ['160.webp', '320.webp', '400.webp', '640.jpg'],
    ])
    const widest = made.files.get('400.webp') ?? new Uint8Array()
    expect((await sharp(widest).metadata()).format).toBe('webp')
    expect(await imageWorker.avatar(path, never)).toMatchObject({
      width: 400,
      formats: ['webp'],
      files: new Map([
        ['256.webp', expect.anything()],
        ['64.webp', expect.anything()],
      ]),
    })
    expect(
      await sharp((await imageWorker.avif(widest, 160, never)) ?? new Uint8Array()).metadata(),
    ).toMatchObject({ format: 'heif', width: 160 })
  })

  test('[S9.02] returns the code of a refused photo; any other failure is an error', async () => {
    expect(await imageWorker.photo(await photo(150), never)).toEqual({ code: 'image_too_small' })
    await expect(imageWorker.photo(join(folder, 'nothing'), never)).rejects.toThrow('ENOENT')
  })

  test.runIf(process.platform === 'linux')(
    '[S4.19] every thread has the lowest priority, and it is killed first when memory runs out',
    async () => {
      await imageWorker.photo(await photo(400), never)
      const child = await childOf(process.pid)
      const threads = await readdir(`/proc/${child}/task`)
      expect(threads.length).toBeGreaterThan(4)
      const stats = await Promise.all(
        threads.map((thread) => ofThread(`/proc/${child}/task/${thread}/stat`)),
      )
      const nice = stats.flatMap((stat) => stat.replace(/^.*\) /, '').split(' ')[16] ?? [])
      expect(new Set(nice)).toEqual(new Set(['19']))
      expect((await readFile(`/proc/${child}/oom_score_adj`, 'utf8')).trim()).toBe('1000')
    },
  )

  test.runIf(process.platform === 'linux')(
    '[S4.19] it has none of the server’s secrets',
    async () => {
      const names = (await readFile(`/proc/${await childOf(process.pid)}/environ`, 'utf8'))
        .split('\0')
        .map((line) => line.split('=')[0])
      expect(
        names.filter(
          (name) =>
            ![
              'PATH',
              'SystemRoot',
              'MALLOC_ARENA_MAX',
              'NODE_CHANNEL_FD',
              'NODE_CHANNEL_SERIALIZATION_MODE',
              '',
            ].includes(name ?? ''),
        ),
      ).toEqual([])
    },
  )
})

describe('a process that fails', () => {
  let imageWorker: ImageWorker
  beforeAll(() => {
    imageWorker = openImageWorker(
      log,
      join(import.meta.dirname, '../../../tests/server/support/fragileImageProcess.ts'),
    )
  })
  afterAll(() => imageWorker.close())

  test.each(['dies', 'babbles'])(
    '[S9.02] a photo over which it %s twice is unreadable, and the next one finds another process',
    async (way) => {
      const [bad, good] = await Promise.all([
        imageWorker.photo(way, never),
        imageWorker.photo('fine', never),
      ])
      expect([bad, good]).toEqual([{ code: 'image_unreadable' }, { code: 'image_too_small' }])
    },
  )

  test('[API 6.3] a variant that cannot be made is left out', async () => {
    expect(await imageWorker.avif(new Uint8Array(), 160, never)).toBeNull()
  })

  test('[API 1.4] a bug is an error, not a refusal of the photo', async () => {
    await expect(imageWorker.photo('breaks', never)).rejects.toThrow('a bug')
  })

  test('[API 1.1] an aborted request frees the imageWorker, whether it was waiting or running', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const hanging = imageWorker.photo('hangs', first.signal)
    const waiting = imageWorker.photo('hangs', second.signal)
    const next = imageWorker.photo('fine', never)
    second.abort(new Error('cut'))
    await expect(waiting).rejects.toThrow('cut')
    first.abort(new Error('cut'))
    await expect(hanging).rejects.toThrow('cut')
    expect([await next, imageWorker.size()]).toEqual([{ code: 'image_too_small' }, 0])
    await expect(imageWorker.photo('fine', first.signal)).rejects.toThrow('cut')
  })

  test('[API 1.4] too many at once, and all after the end, are turned away', async () => {
    await openAndClose(async (fragile) => {
      const many = Array.from({ length: 52 }, () =>
        fragile.photo('hangs', never).catch((error: unknown) => error),
      )
      // one running, fifty waiting
      expect(await many[51]).toBeInstanceOf(Overloaded)
      await fragile.close()
      expect(await Promise.all(many)).toSatisfy((ends: unknown[]) =>
        ends.every((end) => end instanceof Overloaded),
      )
      await expect(fragile.photo('fine', never)).rejects.toBeInstanceOf(Overloaded)
    })
  })

  test('[API 1.4] when the process cannot start, no photo is refused', async () => {
    const broken = openImageWorker(log, join(import.meta.dirname, 'nothing.ts'))
    await expect(broken.photo('fine', never)).rejects.toBeInstanceOf(Overloaded)
    await broken.close()
  })

  async function openAndClose<T>(use: (fragile: ImageWorker) => Promise<T>): Promise<T> {
    const fragile = openImageWorker(
      log,
      join(import.meta.dirname, '../../../tests/server/support/fragileImageProcess.ts'),
    )
    try {
      return await use(fragile)
    } finally {
      await fragile.close()
    }
  }
})

/** A thread may end before its file is read. */
const ofThread = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

async function childOf(pid: number): Promise<string> {
  const children = await Promise.all(
    (await readdir(`/proc/${pid}/task`)).map((thread) =>
      ofThread(`/proc/${pid}/task/${thread}/children`),
    ),
  )
  return children.join(' ').trim().split(' ').at(-1) ?? ''
}
