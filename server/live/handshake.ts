import type { IncomingMessage } from 'node:http'
import type { Language } from '#schema/wire/shapes'
import { SOCKET_PATH } from '#schema/wire/socket'
import { addressOf, languageOf } from '../route/index.ts'

/** [API 14.1] */
export type Greeting = Readonly<{
  token: string
  address: string
  lastEventId: string | null
  language: Language
}>

export const isSocketPath = (url: string | undefined) =>
  `${(url ?? '').split('?')[0]?.replace(/\/+$/, '')}/` === SOCKET_PATH

export function greetingOf(request: IncomingMessage, trustProxy: number): Greeting {
  const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
  const lang = query.get('lang')
  return {
    token: query.get('token') ?? '',
    address: addressOf(
      request.socket.remoteAddress,
      [request.headers['x-forwarded-for'] ?? []].flat().join(),
      trustProxy,
    ),
    lastEventId: query.get('last_event_id') || null,
    language:
      lang === 'fr' || lang === 'en'
        ? lang
        : languageOf(request.headers['accept-language'] ?? null),
  }
}

/** [API 14.1, D104]; only browsers send an origin. */
export function originAllowed(
  headers: IncomingMessage['headers'],
  publicUrl: string,
  others: readonly string[],
) {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  if (given.origin === new URL(publicUrl).origin || others.includes(given.origin)) return true
  const forwarded = [headers['x-forwarded-host'] ?? []].flat().flatMap((hosts) => hosts.split(','))
  return [host ?? '', ...forwarded].some((name) => sameHost(given, name.trim()))
}

/** The scheme's default port may be left out. */
function sameHost(origin: URL, name: string) {
  const address = `${origin.protocol}//${name}`
  return name !== '' && URL.canParse(address) && new URL(address).host === origin.host
}
