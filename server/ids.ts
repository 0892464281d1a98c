import { randomBytes } from 'node:crypto'

let last = 0n

/** A new id: UUIDv7 in lower-case text, growing within one process even inside a millisecond (API.md 1.1). */
export function newId(at: number = Date.now()): string {
  const random = randomBytes(10)
  // 48 bits of time and 12 bits that count on when the clock stands still or goes back
  const stamp = (BigInt(at) << 12n) | BigInt(((random[0] ?? 0) << 4) & 0x7f0)
  last = stamp > last ? stamp : last + 1n
  const time = (last >> 12n).toString(16).padStart(12, '0')
  const count = (last & 0xfffn).toString(16).padStart(3, '0')
  const variant = (0x80 | ((random[1] ?? 0) & 0x3f)).toString(16)
  const rest = random.subarray(2).toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${rest.slice(0, 2)}-${rest.slice(2, 14)}`
}
