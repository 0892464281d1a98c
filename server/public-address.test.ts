import { expect, test } from 'vitest'
import { publicAddress } from './public-address.ts'

const home = () => ['127.0.0.1', '192.168.1.7', 'fe80::1']
const rented = () => ['127.0.0.1', '41.138.1.9']

test.each([
  [null, '127.0.0.1', rented, null],
  [null, '::1', rented, null],
  [null, 'localhost', rented, null],
  [null, '192.168.1.7', rented, null],
  [null, '0.0.0.0', home, null],
  [null, '0.0.0.0', rented, 'HOST 0.0.0.0'],
  [null, '41.138.1.9', home, 'HOST 41.138.1.9'],
  ['http://localhost:8080', '0.0.0.0', rented, null],
  ['http://192.168.1.7:8080', '0.0.0.0', home, null],
  ['http://[::1]:8080', '127.0.0.1', home, null],
  ['http://yaar.local', '0.0.0.0', home, null],
  ['https://yaar.bf', '127.0.0.1', home, 'PUBLIC_URL https://yaar.bf'],
  ['https://41.138.1.9', '127.0.0.1', home, 'PUBLIC_URL https://41.138.1.9'],
])('PUBLIC_URL %s and HOST %s: open to everybody by %4$s', (publicUrl, host, own, address) => {
  expect(publicAddress({ publicUrl, host }, own)).toBe(address)
})
