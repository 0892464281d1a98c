import { expect, test } from 'vitest'
import { platformOf } from './platform.ts'

const android =
  'Mozilla/5.0 (Linux; Android 9; itel A16) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/138.0.0.0 Mobile Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 Version/16.4 Mobile/15E148 Safari/604.1'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15'

test.each([
  ['an Android phone', android, 5, { system: 'android', embedded: false }],
  ['an iPhone', iphone, 5, { system: 'ios', embedded: false }],
  ['an iPad that claims to be a Mac', mac, 5, { system: 'ios', embedded: false }],
  ['a Mac', mac, 0, { system: 'other', embedded: false }],
  [
    'Facebook’s browser',
    `${android} [FB_IAB/FB4A;FBAV/400.0]`,
    5,
    { system: 'android', embedded: true },
  ],
  [
    'an Android web view',
    android.replace('itel A16)', 'itel A16; wv)'),
    5,
    { system: 'android', embedded: true },
  ],
])('[S1.04] %s is recognized', (_what, agent, touch, expected) => {
  expect(platformOf(agent, touch, false)).toEqual({ ...expected, installed: false })
})
