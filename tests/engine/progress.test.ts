import { uploadPhoto } from '#schema/wire/own'
import { UPLOAD_STALL_MS } from '#schema/limits'
import { exchange } from '#sync/network/http'
import type { Outside } from '#sync/outside'
import { expect, test } from 'vitest'
import { CountedHarness } from './counted.ts'
import { Realm } from './model/realm.ts'

const SIZE = 250_000
const DEADLINE_MS = 133_000

interface Sent {
  readonly outcome: string
  readonly ms: number
  /** Uploaded bytes, as the progress callback reported them. */
  readonly left: number
}

/** An upload at `bytesASecond` that stalls after `stallsAt` bytes. */
async function send(bytesASecond: number, stallsAt = Infinity): Promise<Sent> {
  const { world, device } = new CountedHarness()
  const outside: Outside = {
    ...device.outside(new Realm(world)),
    upload: (_request, { signal, progress }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        let loaded = 0
        const step = (): void => {
          loaded = Math.min(SIZE, loaded + bytesASecond)
          if (loaded > stallsAt || signal.aborted) return
          progress(loaded, loaded === SIZE)
          if (loaded < SIZE) return void world.after(1000, step)
          resolve(new Response('{"id":"P1"}', { status: 201 }))
        }
        world.after(1000, step)
      }),
  }
  const body = new FormData()
  body.append('file', new Blob(['x'.repeat(SIZE)]), 'photo.jpg')
  let left = 0
  let ended: Sent | null = null
  const authContext = { token: 'T', language: 'fr', sessionId: '' } as const
  void exchange(
    outside,
    { begin: () => () => undefined, bytes: () => undefined },
    {
      call: uploadPhoto,
      body,
      authContext,
      deadlineMs: DEADLINE_MS,
      onBytesSent: (bytes) => void (left = bytes),
    },
  ).then((reply) => {
    ended = { outcome: reply.kind, ms: world.now, left }
  })
  await world.run(3_600_000, () => ended !== null)
  return ended ?? { outcome: 'never', ms: world.now, left }
}

test('an upload that makes progress is not given up, however slow: one kilobyte per second', async () => {
  const { outcome, ms } = await send(1000)
  expect(outcome).toBe('done')
  expect(ms).toBeGreaterThan(DEADLINE_MS)
})

test('a stalled upload is given up soon, and is charged with the bytes that had left', async () => {
  const { outcome, ms, left } = await send(10_000, 50_000)
  expect(outcome).toBe('later')
  expect(ms).toBeLessThan(5000 + UPLOAD_STALL_MS + 2000)
  expect(left).toBeGreaterThanOrEqual(50_000)
  expect(left).toBeLessThan(52_000)
})
