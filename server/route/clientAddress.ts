import { isIPv6 } from 'node:net'

/** The connection's, or the one `trusted` proxies back in `X-Forwarded-For` [API 1.1, D92]. */
export function addressOf(
  connection: string | undefined,
  forwarded: string | null,
  trusted: number,
) {
  const hops = (forwarded ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  const address = trusted > 0 && hops.length > 0 ? (hops.at(-trusted) ?? hops[0]) : connection
  return (address ?? 'unknown').replace(/^::ffff:(?=\d+\.)/i, '')
}

/** In rate limits: an IPv4 address, or the /64 of an IPv6 one [API 1.6]. */
export function networkOf(address: string) {
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head.split(':').filter((part) => part !== '')
  const right = (tail ?? '').split(':').filter((part) => part !== '')
  const middle =
    tail === undefined
      ? []
      : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
