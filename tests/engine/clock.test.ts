import { expect, test } from 'vitest'
import { CountedHome } from './counted.ts'

const DAY_MS = 24 * 3_600_000

test('after the clock is set back while offline, answers still count and no call is repeated in a loop', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  home.show(tab)
  await home.write(tab, 'Encore là ?')
  await home.world.run(60_000)
  home.device.skew = -DAY_MS
  home.network.become('there')
  const from = home.world.now
  // The browser fires no event for a clock change.
  await home.world.run(120_000)
  expect(home.sent()).toEqual(['Encore là ?'])
  expect(
    home.network.since(from).calls.filter(({ path }) => path.includes('ping')).length,
  ).toBeLessThan(5)
})
