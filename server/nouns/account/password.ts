import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { semaphore } from '../../files/semaphore.ts'
import type { Exchange } from '../../http/handle.ts'
import type { LimitRow } from '../../http/limits.ts'
import { refuseUntil } from '../../http/refusal.ts'

// argon2id, OWASP's floor: 19 MiB, two passes, one lane
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * [A5] A hash takes a processor and one of the four threads that files and compression use too: one processor stays free of
 * them, and two threads at least.
 */
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Whoever would wait longer than some seconds is asked to come back. */
export const HASHES_WAITING = 200
const COME_BACK_S = 5

const turn = semaphore(HASHES_AT_ONCE)
let queued = 0

/** Runs a hash when its turn comes; throws 503 with Retry-After when too many wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queued >= HASHES_AT_ONCE + HASHES_WAITING)
    throw refuseUntil('service_unavailable', COME_BACK_S)
  queued += 1
  try {
    return await turn(work)
  } finally {
    queued -= 1
  }
}

/** The hash of a password, as a PHC string. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, COST))

let nobody: Promise<string> | null = null

/** Whether the password fits the hash. Without a hash it spends the same time and says no, so that time tells nothing about accounts. */
export async function passwordFits(password: string, stored: string | null): Promise<boolean> {
  nobody ??= hash('nobody has this password', COST)
  const against = stored ?? (await nobody)
  const fits = await inTurn(() => verify(against, password).catch(() => false))
  return fits && stored !== null
}

/** [A4] Wrong passwords of a signed-in person, whichever call asks for one: whoever holds a token must not guess without end. */
const GUESSES: LimitRow = {
  name: 'password-guess',
  user: [{ count: 10, seconds: 15 * 60 }],
  address: [{ count: 100, seconds: 15 * 60 }],
}

/** The same for the account of the caller. Wrong ones count; once they are too many, right ones are refused too (429). */
export async function ownPasswordFits(
  { count }: Pick<Exchange, 'count'>,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const takeBack = await count(GUESSES)
  const fits = await passwordFits(password, stored)
  if (fits) await takeBack()
  return fits
}
