import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import webpush from 'web-push'
import type { Config } from '../config.ts'
import { checkedLookup, endpointUrl } from './guard.ts'
import { pushKeys } from './keys.ts'

export type Target = Readonly<{
  endpoint: string
  p256dh: string
  auth: string
}>

export type PushOptions = Readonly<{
  /** Seconds that the push service stores it. */
  ttl: number
  urgency: 'high' | 'normal' | 'low'
  /** A later push replaces a queued one of the same topic. */
  topic: string | null
}>

/** `gone`: the browser has ended the subscription. */
export type PushOutcome = Readonly<
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'later'; afterS: number | null }
  | { kind: 'refused'; status: number | null }
>

export type PushService = Awaited<ReturnType<typeof openPush>>

/** [A8] From the DNS lookup to the response. */
const TIMEOUT_MS = 3000

/** RFC 8030, 8188, 8291, 8292. Ignores redirects and response bodies. */
export async function openPush(config: Config) {
  const keys = await pushKeys(config)
  const insecure = config.pushAllowInsecure
  const options = {
    keepAlive: true,
    maxSockets: 20,
    timeout: 60_000,
    lookup: checkedLookup(insecure),
  }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }

  async function send(
    target: Target,
    payload: string,
    { ttl, urgency, topic }: PushOptions,
  ): Promise<PushOutcome> {
    const url = endpointUrl(target.endpoint, insecure)
    if (keys === null || url === null) return { kind: 'refused', status: null }
    const vapidDetails = { subject: config.vapidSubject, ...keys }
    let sealed: webpush.RequestDetails
    try {
      sealed = webpush.generateRequestDetails(
        { endpoint: url.href, keys: { p256dh: target.p256dh, auth: target.auth } },
        payload,
        {
          vapidDetails,
          TTL: ttl,
          urgency,
          contentEncoding: 'aes128gcm',
          ...(topic !== null && { topic }),
        },
      )
    } catch {
      // The key is not a point of the curve.
      return { kind: 'refused', status: null }
    }
    const answer = await post(url, sealed).catch(() => null)
    return answer === null ? { kind: 'later', afterS: null } : outcomeOf(answer)
  }

  /** web-push's own sending is https only, and its timeout is one of silence. */
  function post(url: URL, { headers, body }: webpush.RequestDetails): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:'
    return new Promise((done, fail) => {
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        headers,
        agent: secure ? agents['https:'] : agents['http:'],
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      request.once('response', (response) => {
        // The signal aborts a body that never ends.
        response.on('error', () => undefined).resume()
        done(response)
      })
      request.once('error', fail)
      request.end(body)
    })
  }

  return {
    /** "" when no key could be created [S4.07]. */
    publicKey: keys?.publicKey ?? '',
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

function outcomeOf({
  statusCode = 0,
  headers,
}: Pick<IncomingMessage, 'statusCode' | 'headers'>): PushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'sent' }
  if (statusCode === 404 || statusCode === 410) return { kind: 'gone' }
  if (statusCode !== 429 && statusCode < 500) return { kind: 'refused', status: statusCode }
  return { kind: 'later', afterS: secondsOf(headers['retry-after']) }
}

function secondsOf(header: string | undefined) {
  if (header === undefined) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}
