import { expect, test } from 'vitest'
import { checkedLookup, endpointUrl, isPublic, leadsOutside } from './guard.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'nothing',
  '',
])('[API 13.1] %s is no public address', (address) => expect(isPublic(address, false)).toBe(false))

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4007:80e::200a', '2606:4700::1111'])(
  '[API 13.1] %s is public',
  (address) => expect(isPublic(address, false)).toBe(true),
)

test('[API 16] PUSH_ALLOW_INSECURE allows loopback only', () => {
  expect(
    ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'].map((address) => isPublic(address, true)),
  ).toEqual([true, true, false, false])
})

test.each([
  'http://push.example/x',
  'ftp://push.example/x',
  'push.example/x',
  'https://',
  'https://user:secret@push.example/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://0177.0.0.1/x',
  'https://[::ffff:7f00:1]/x',
  'https://10.0.0.1:8443/x',
  `https://push.example/${'x'.repeat(2048)}`,
  'javascript:alert(1)',
])('[API 13.1] %s is no endpoint', (endpoint) => expect(endpointUrl(endpoint, false)).toBeNull())

test('[API 13.1] an https URL with a host name is a valid endpoint', () => {
  expect(endpointUrl('https://fcm.googleapis.com/fcm/send/abc', false)?.hostname).toBe(
    'fcm.googleapis.com',
  )
  expect(endpointUrl('http://127.0.0.1:9000/x', true)?.port).toBe('9000')
  expect(endpointUrl('http://10.0.0.1/x', true)).toBeNull()
})

const names =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('[D113] a host is public only when all its addresses are', async () => {
  const url = new URL('https://push.example/x')
  expect(await leadsOutside(url, false, names('8.8.8.8', '2606:4700::1111'))).toBe(true)
  expect(await leadsOutside(url, false, names('8.8.8.8', '127.0.0.1'))).toBe(false)
  expect(await leadsOutside(url, false, names())).toBe(false)
  expect(await leadsOutside(url, false, () => Promise.reject(new Error('ENOTFOUND')))).toBe(false)
})

test('[D113] each connection resolves again and uses the checked address', async () => {
  const answers = [names('8.8.8.8'), names('169.254.169.254')]
  const look = checkedLookup(false, () => (answers.shift() ?? names())())
  const connect = () =>
    new Promise((resolve) => {
      look('push.example', { all: true }, (error, addresses) =>
        resolve(error === null ? addresses : 'refused'),
      )
    })
  expect(await connect()).toEqual([{ address: '8.8.8.8', family: 4 }])
  expect(await connect()).toBe('refused')
})
