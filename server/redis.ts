import { Redis } from 'iovalkey'
import type { Logger } from 'pino'
import { openBreaker } from './breaker.ts'

/** No response depends on Redis. */
const PATIENCE_MS = 50
const RETRY_MS = 1000
/** A start waits so long for the first connection, or would count the first calls alone. */
const START_MS = 500
/** Then the connection is replaced. */
const TRIALS = 10

export type RedisLink = Awaited<ReturnType<typeof openRedis>>

/** Reconnects until closed. */
export async function openRedis(url: string, purpose: string, log: Logger) {
  const redis = connect(url)
  let trials = 0
  const breaker = openBreaker({
    patienceMs: PATIENCE_MS,
    retryMs: RETRY_MS,
    async trial() {
      trials += 1
      if (trials % TRIALS === 0 && ['connect', 'ready'].includes(redis.status))
        redis.disconnect(true)
      await redis.ping()
      trials = 0
    },
    changed(circuit, reason) {
      if (circuit === 'open') log.warn({ err: reason, purpose }, 'Redis is away')
      else log.info({ purpose }, 'Redis is back')
    },
  })
  const started = Promise.withResolvers<void>()
  redis.once('ready', () => started.resolve())
  const timer = setTimeout(() => started.resolve(), START_MS)
  await started.promise
  clearTimeout(timer)
  return {
    get circuit() {
      return breaker.circuit
    },
    run: <T>(command: (redis: Redis) => Promise<T>) => breaker.run(() => command(redis)),
    close() {
      breaker.close()
      redis.disconnect()
    },
  }
}

/** `subscribed`: at every connection, since messages may have been missed. */
export function subscribe(
  url: string,
  channel: string,
  on: { message(text: string): void; subscribed(): void },
): { close(): void } {
  const redis = connect(url)
  redis.on(
    'ready',
    () => void redis.subscribe(channel).then(on.subscribed, () => redis.disconnect(true)),
  )
  redis.on('message', (_: string, text: string) => on.message(text))
  return { close: () => redis.disconnect() }
}

function connect(url: string): Redis {
  // commands do not wait for a connection, and none is sent twice
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 50, RETRY_MS),
  })
  redis.on('error', () => undefined)
  return redis
}
