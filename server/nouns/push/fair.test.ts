import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { publish } from '../../live/publish.ts'
import { person, type Person } from '../../../tests/server/support/people.ts'
import { startJobs } from '../../jobs/run.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { browserKeys, pushService } from '../../../tests/server/support/browser.ts'
import { pushJob } from './deliver.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let server: TestServer
let service: Awaited<ReturnType<typeof pushService>>
/** Accepts connections and never responds. */
const silent = createServer(() => undefined)
let silentPort = 0
beforeAll(async () => {
  service = await pushService()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  silentPort = typeof address === 'object' && address !== null ? address.port : 0
  server = await testServer([], { PUSH_ALLOW_INSECURE: 'on' })
})
afterAll(async () => {
  server.services.push.close()
  silent.closeAllConnections()
  silent.close()
  await service.stop()
  await server.close()
})

async function subscribe(who: Person, endpoint: string): Promise<void> {
  const { p256dh, auth } = browserKeys()
  expect((await who.post('push-subscriptions/', { endpoint, p256dh, auth })).status).toBe(201)
}
const tell = (who: Person, title: string) =>
  server.services.database.tx(async (tx) =>
    publish(tx, {
      to: who.id,
      by: null,
      at: new Date(),
      fact: { event: 'listing.published', listing: 'L1', title, image: null },
    }),
  )

test('[A8] unresponsive browsers delay nobody else: other pushes arrive within five seconds', async () => {
  const stuck = await person(server, 'stuck')
  const other = await person(server, 'other')
  for (let n = 0; n < 20; n += 1) await subscribe(stuck, `http://127.0.0.1:${silentPort}/${n}`)
  await subscribe(other, service.at('/other'))
  for (let n = 0; n < 4; n += 1) await tell(stuck, `${n}`)
  const working = startJobs(server.services, [pushJob])
  await expect
    .poll(
      () => new Promise<number>((resolve) => silent.getConnections((_, count) => resolve(count))),
    )
    .toBeGreaterThan(0)
  const waits: number[] = []
  for (let n = 1; n <= 5; n += 1) {
    const begun = performance.now()
    await tell(other, `${n}`)
    await expect.poll(() => service.received.length, { timeout: 30_000, interval: 10 }).toBe(n)
    waits.push(performance.now() - begun)
  }
  // The median: a busy machine may stop for seconds.
  expect(waits.toSorted((a, b) => a - b)[2]).toBeLessThan(5000)
  await working.stop()
})
