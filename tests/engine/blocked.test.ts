import 'fake-indexeddb/auto'
import { commands } from '#sync/nouns/commands'
import { queue } from '#sync/outbox/accept'
import type { OutboxState } from '#sync/outbox/state'
import { browserDisk } from '#sync/store/open'
import { openStore } from '#sync/store/store'
import { Late } from '#sync/within'
import { expect, test, vi } from 'vitest'
import { deviceHere, here } from '../golden/outside.ts'

/** Timers that end only by `pass`. */
class Timers {
  readonly #waiting = new Map<() => void, number>()

  readonly later = (ms: number, what: () => void) => {
    this.#waiting.set(what, ms)
    return () => this.#waiting.delete(what)
  }

  /** Ends the timer of this length, once it is set. */
  async pass(ms: number): Promise<void> {
    await vi.waitUntil(() => [...this.#waiting.values()].includes(ms))
    for (const [what, set] of this.#waiting) {
      if (set !== ms) continue
      this.#waiting.delete(what)
      what()
    }
  }

  /** The limit of a transaction, in its two halves. */
  async passTransaction(): Promise<void> {
    await this.pass(4000)
    await this.pass(4000)
  }
}

/** A transaction of another connection, which ends when the returned function is called. */
async function holding(name: string, store: string): Promise<() => Promise<void>> {
  const request = indexedDB.open(name)
  await new Promise((resolve) => request.addEventListener('success', resolve))
  const other = request.result
  const transaction = other.transaction(store, 'readwrite')
  const ended = new Promise((resolve) => transaction.addEventListener('complete', resolve))
  let held = true
  const spin = (): void => {
    if (held) transaction.objectStore(store).count().addEventListener('success', spin)
  }
  spin()
  return async () => {
    held = false
    await ended
    other.close()
  }
}

const hello = (state: OutboxState) =>
  queue(
    state,
    {
      id: '00000000-0000-7000-8000-000000000001',
      name: 'message.send',
      payload: { conversation: 'C1', content: 'Bonjour' },
    },
    commands['message.send'],
    'U1',
    1,
  )

test('[S13.60] a write that does not end is answered by the next worker, and stored once', async () => {
  const timers = new Timers()
  let restarts = 0
  const device = () =>
    deviceHere('held', { ...here, setTimer: timers.later }, { restart: () => void restarts++ })
  const before = await device()
  await before.table.change((state) => ({
    state: { ...state, texts: [{ id: 'U1 k', owner: 'U1', key: 'k', content: 'x', at: 1 }] },
    result: null,
  }))
  const release = await holding('held-phone', 'entries')
  let answered = false
  const answer = (): void => void (answered = true)
  before.table.change(hello).then(answer, answer)
  await timers.passTransaction()
  await expect.poll(() => restarts).toBe(1)
  // The worker that takes its place finds the database blocked, and says so instead of starting anew.
  const opening = device()
  await timers.pass(5000)
  await expect(opening).rejects.toMatchObject({ why: 'hangs' })
  expect(answered).toBe(false)
  await release()
  await expect.poll(() => restarts).toBe(2)
  const { table } = await device()
  await table.change(hello)
  expect((await table.read()).entries).toHaveLength(1)
  expect((await table.read()).texts).toHaveLength(1)
  for (const one of [before.table, table]) one.close()
})

test('[S13.60] where no worker can take its place, as in the background, such a transaction is refused', async () => {
  const timers = new Timers()
  const { table } = await deviceHere('refused', { ...here, setTimer: timers.later })
  await table.change(hello)
  const release = await holding('refused-phone', 'meta')
  const reading = table.read().catch((error: unknown) => error)
  await timers.passTransaction()
  expect(await reading).toBeInstanceOf(Late)
  await release()
  expect((await table.read()).entries).toHaveLength(1)
  table.close()
})

test('[S13.61] a cache whose transaction does not end is in memory at once, and live lists go on', async () => {
  const timers = new Timers()
  const disk = browserDisk(
    indexedDB,
    IDBKeyRange,
    () => ({ post: () => undefined, close: () => undefined }),
    timers.later,
  )
  let renewed = 0
  const store = await openStore(
    { name: 'cache', version: 1, disk, setTimer: here.setTimer, renewed: () => void renewed++ },
    'u1',
  )
  const shown: string[][] = []
  store.saved
    .find({ sort: [{ newest: 'asc' }] })
    .$.subscribe((rows) => shown.push(rows.map(({ id }) => id)))
  await store.saved.put([{ id: 'a', newest: 0, saved: true }])
  await expect.poll(() => shown.at(-1)).toEqual(['a'])
  const release = await holding('cache-1-of-u1', 'saved')
  const writing = store.saved.put([{ id: 'b', newest: 0, saved: true }])
  await timers.passTransaction()
  await writing
  await expect.poll(() => shown.at(-1)).toEqual(['b'])
  expect(renewed).toBe(1)
  // The other database stays on disk.
  expect(store.state().memoryOnly).toBe(false)
  await release()
  await store.close()
})
