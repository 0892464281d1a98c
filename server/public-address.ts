import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'
import { isPublic } from './webpush/guard.ts'

/** They only resolve to this machine or its network (RFC 6761, RFC 6762, RFC 8375). */
const HERE = /^(localhost|[^.]+|.+\.(localhost|local|test|internal|lan|home\.arpa))\.?$/i

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))

/** The setting that makes the server public; null: it is only reachable locally. */
export function publicAddress(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  own: () => readonly string[] = ownAddresses,
) {
  if (publicUrl !== null) {
    const name = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
    const open = isIP(name) === 0 ? !HERE.test(name) : isPublic(name, false)
    return open ? `PUBLIC_URL ${publicUrl}` : null
  }
  const everywhere = host === '0.0.0.0' || host === '::'
  const open =
    isIP(host) === 0
      ? !HERE.test(host)
      : (everywhere ? own() : [host]).some((address) => isPublic(address, false))
  return open ? `HOST ${host}` : null
}
