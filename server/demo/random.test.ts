import { expect, test } from 'vitest'
import { random } from './random.ts'

test('[S1.06] the random generator is fair and reproducible', () => {
  const choice = random('test', 1)
  const digits = Array.from({ length: 20_000 }, () => choice.whole(0, 9))
  for (let digit = 0; digit < 10; digit += 1)
    expect(Math.abs(digits.filter((one) => one === digit).length - 2000)).toBeLessThan(250)
  expect(random('test', 1).next()).toBe(random('test', 1).next())
  expect(random('test', 1).next()).not.toBe(random('test', 2).next())
})
