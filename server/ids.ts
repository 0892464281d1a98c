import { randomFillSync } from 'node:crypto'
import { uuidOf } from '#schema/uuid'

const RANDOM = 9
/** For many ids at once: a call costs more than an id. */
const pool = Buffer.alloc(RANDOM * 400)
let used = pool.length
let last = 0
let count = 0

/** UUIDv7, increasing within one process even inside a millisecond [API 1.1]. */
export function newId(at: number = Date.now()) {
  const random = nextRandom()
  // 48 bits of time, and a counter that continues when the clock stops or goes back
  if (at > last) [last, count] = [at, ((random[0] ?? 0) << 4) & 0x7f0]
  else if (count < 0xfff) count += 1
  else [last, count] = [last + 1, 0]
  return uuidOf(last, count.toString(16).padStart(3, '0') + random.toString('hex', 1))
}

function nextRandom() {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM
  return pool.subarray(used - RANDOM, used)
}
