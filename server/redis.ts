import { Redis } from 'iovalkey'
import type { Logger } from 'pino'
import { openBreaker, type Circuit } from './breaker.ts'

/** Nothing in Redis is needed for an answer, so no call waits longer for it. */
const PATIENCE_MS = 50
const RETRY_MS = 1000
/** A start waits so long for the first connection; without it the first calls would be counted by this process alone. */
const START_MS = 500
/** After so many trials without an answer the connection is given up for a new one. */
const TRIALS = 10

/** Redis or Valkey behind a circuit breaker. */
export interface RedisLink {
  readonly circuit: Circuit
  /** Rejects at once while Redis is away, and after 50 ms without an answer. */
  run<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  close(): void
}

/** Resolves when Redis answers, or after half a second without it; it connects again by itself for as long as it is open. */
export async function openRedis(url: string, purpose: string, log: Logger): Promise<RedisLink> {
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
    run: (command) => breaker.run(() => command(redis)),
    close() {
      breaker.close()
      redis.disconnect()
    },
  }
}

/**
 * Hears a channel for as long as it is open: each connection subscribes anew, the first one too, whenever it comes about.
 * `subscribed` is called then, since anything may have been said meanwhile.
 */
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
