import { createECDH } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import webpush from 'web-push'
import { ConfigError, type Config } from '../config.ts'
import { newId } from '../ids.ts'

/** VAPID (RFC 8292), base64url without padding. */
const pair = v.object({
  publicKey: v.pipe(v.string(), v.length(87)),
  privateKey: v.pipe(v.string(), v.length(43)),
})
type PushKeys = v.InferOutput<typeof pair>

/** Configured, or generated once in DATA_DIR; null when that fails [S4.07]. */
export async function pushKeys({
  vapid,
  dataDir,
}: Pick<Config, 'vapid' | 'dataDir'>): Promise<PushKeys | null> {
  if (vapid !== null) {
    // Otherwise push would be silently disabled.
    if (!belongTogether(vapid))
      throw new ConfigError(
        'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be one pair, as `npx web-push generate-vapid-keys` makes it',
      )
    return vapid
  }
  const file = join(dataDir, 'vapid.json')
  try {
    return (await readPair(file)) ?? (await make(dataDir, file))
  } catch {
    return null
  }
}

async function readPair(file: string) {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  return v.parse(pair, JSON.parse(text))
}

/** Linked when complete: concurrent processes all use the first pair. */
async function make(folder: string, file: string) {
  await mkdir(folder, { recursive: true })
  const half = `${file}.${newId()}`
  await writeFile(half, JSON.stringify(newPair()), { mode: 0o600 })
  await link(half, file).catch(() => undefined)
  await unlink(half)
  return readPair(file)
}

export const newPair = (): PushKeys => webpush.generateVAPIDKeys()

function belongTogether({ publicKey, privateKey }: PushKeys) {
  const ecdh = createECDH('prime256v1')
  try {
    ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return ecdh.getPublicKey('base64url', 'uncompressed') === publicKey
  } catch {
    return false
  }
}
