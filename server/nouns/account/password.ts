import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_MAX, PASSWORD_MIN } from '#schema/limits'
import { points } from '#schema/wire/shapes'
import { semaphore } from '../../files/semaphore.ts'
import { refuseField, refuseUntil, type Exchange, type LimitRow } from '../../route/index.ts'

// argon2id with the OWASP minimum: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * [A5] A hash occupies a CPU and one of four libuv threads: leaves one CPU and two threads free.
 */
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Requests beyond, a wait of some seconds, get 503. */
export const HASHES_WAITING = 200
const COME_BACK_S = 5

const turn = semaphore(HASHES_AT_ONCE)

async function queueHash<T>(work: () => Promise<T>) {
  if (turn.size() >= HASHES_AT_ONCE + HASHES_WAITING)
    throw refuseUntil('service_unavailable', COME_BACK_S)
  return turn(work)
}

export const hashPassword = (password: string) => queueHash(() => hash(password, COST))

let nobody: Promise<string> | null = null

/** Takes as long without a stored hash: timing must not reveal accounts. */
export async function passwordFits(password: string, stored: string | null) {
  nobody ??= hash('nobody has this password', COST)
  const against = stored ?? (await nobody)
  const fits = await queueHash(() => verify(against, password).catch(() => false))
  return fits && stored !== null
}

/** [A4] A stolen token must not allow endless guesses. */
const GUESSES: LimitRow = {
  name: 'password-guess',
  user: [{ count: 10, seconds: 15 * 60 }],
  network: [{ count: 100, seconds: 15 * 60 }],
}

/** Over the limit even a correct one gets 429. */
export async function ownPasswordFits(
  { count }: Pick<Exchange, 'count'>,
  password: string,
  stored: string | null,
) {
  const takeBack = await count(GUESSES)
  const fits = await passwordFits(password, stored)
  if (fits) await takeBack()
  return fits
}

export async function requirePassword(...guess: Parameters<typeof ownPasswordFits>) {
  if (!(await ownPasswordFits(...guess)))
    throw refuseField('current_password', 'password_incorrect')
}

export function checkNewPassword(password: string, username: string) {
  const bounds = { min: PASSWORD_MIN, max: PASSWORD_MAX }
  const field = 'new_password'
  if (points(password) < PASSWORD_MIN) throw refuseField(field, 'password_too_short', bounds)
  if (points(password) > PASSWORD_MAX) throw refuseField(field, 'too_long', bounds)
  if (isSimilar(password, username)) throw refuseField(field, 'password_too_similar')
}

export const isSimilar = (password: string, username: string) =>
  password.trim().toLowerCase() === username.toLowerCase()
