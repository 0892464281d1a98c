import { expect, test } from 'vitest'
import { CountedHome } from './counted.ts'

const DAY_MS = 24 * 3_600_000

test('a clock that is set back while there is no network hides no answer after it, and nothing is asked over and over', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  home.air.become('gone')
  home.show(tab)
  await home.write(tab, 'Encore là ?')
  await home.world.run(60_000)
  home.phone.skew = -DAY_MS
  home.air.become('there')
  const from = home.world.now
  // The browser fires no event for a clock change.
  await home.world.run(120_000)
  expect(home.sent()).toEqual(['Encore là ?'])
  expect(
    home.air.since(from).calls.filter(({ path }) => path.includes('ping')).length,
  ).toBeLessThan(5)
})
