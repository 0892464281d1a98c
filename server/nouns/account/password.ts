import { hash, verify } from '@node-rs/argon2'
import { turns } from '../../files/turns.ts'

// argon2id, OWASP's floor: 19 MiB, two passes, one lane
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash holds 19 MiB and a thread: four at once, the rest queue. */
const turn = turns(4)

/** The hash of a password, as a PHC string. */
export const hashPassword = (password: string): Promise<string> => turn(() => hash(password, COST))

let nobody: Promise<string> | null = null

/** Whether the password fits the hash. Without a hash it spends the same time and says no, so that time tells nothing about accounts. */
export async function passwordFits(password: string, stored: string | null): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const against = stored ?? (await nobody)
  const fits = await turn(() => verify(against, password)).catch(() => false)
  return fits && stored !== null
}
