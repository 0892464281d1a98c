import { expect, test } from 'vitest'
import { CountedHarness } from './counted.ts'

const DAY_MS = 24 * 3_600_000

test('after the clock is set back while offline, answers still count and no call is repeated in a loop', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.show(tab)
  await harness.write(tab, 'Encore là ?')
  await harness.world.run(60_000)
  harness.device.skew = -DAY_MS
  harness.network.become('there')
  const from = harness.world.now
  // The browser fires no event for a clock change.
  await harness.world.run(120_000)
  expect(harness.sent()).toEqual(['Encore là ?'])
  expect(
    harness.network.since(from).calls.filter(({ path }) => path.includes('ping')).length,
  ).toBeLessThan(5)
})
