import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import ranges from './reserved.json' with { type: 'json' }

const ENDPOINT_MAX = 2048

/**
 * From IANA's special-purpose registries. Of IPv6 only 2000::/3 is public, but for the listed
 * ranges.
 */
const reserved = new BlockList()
for (const kind of ['ipv4', 'ipv6'] as const)
  for (const range of ranges[kind]) {
    const [net = '', bits] = range.split('/')
    reserved.addSubnet(net, Number(bits), kind)
  }
const used = new BlockList()
used.addSubnet('2000::', 3, 'ipv6')
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** [API 13.1]. `insecure` allows loopback, for tests. */
export function isPublic(address: string, insecure: boolean) {
  const family = isIP(address)
  if (family === 0) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  if (insecure && loopback.check(address, kind)) return true
  return family === 4
    ? !reserved.check(address, kind)
    : used.check(address, kind) && !reserved.check(address, kind)
}

export function endpointUrl(endpoint: string, insecure: boolean): URL | null {
  if (endpoint.length > ENDPOINT_MAX || !URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' && !(insecure && url.protocol === 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isPublic(host, insecure) ? url : null
}

type Resolve = (host: string) => Promise<LookupAddress[]>

const ask: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** Whether the host currently resolves to public addresses only. */
export async function leadsOutside(url: URL, insecure: boolean, names: Resolve = ask) {
  try {
    await publicAddresses(url.hostname.replace(/^\[|\]$/g, ''), insecure, names)
    return true
  } catch {
    return false
  }
}

/** Connects to the checked addresses themselves: DNS rebinding has no effect. */
export function checkedLookup(insecure: boolean, names: Resolve = ask): LookupFunction {
  const look = callbackify(publicAddresses)
  return (host, options, callback) => {
    look(host, insecure, names, (error, addresses) => {
      if (error !== null) callback(error, '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

async function publicAddresses(host: string, insecure: boolean, names: Resolve) {
  const addresses = await names(host)
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address, insecure)))
    throw new Error('the name leads to an address that is not public')
  return addresses
}
