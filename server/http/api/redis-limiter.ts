import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisLink } from '../../redis.ts'
import { memoryLimiter, SET_BACK_MS, type Limiter } from '../../route/index.ts'

const TAKE = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/**
 * Shared by all processes; `scope` separates databases. Without Redis each process counts alone.
 */
export function redisLimiter(redis: RedisLink, scope: string): Limiter & { close(): void } {
  const alone = memoryLimiter()
  const self = randomUUID().slice(0, 8)
  let taken = 0
  return {
    async take(slots, now) {
      const [keys, member] = [
        slots.map(({ key }) => `${scope}:limit:${key}`),
        `${self}${(taken += 1).toString(36)}`,
      ]
      const values = slots.flatMap(({ window }) => [window.count, window.seconds * 1000])
      try {
        const found: unknown = await redis.run((link) =>
          link.eval(TAKE, slots.length, ...keys, now, member, SET_BACK_MS, ...values),
        )
        const [full, wait] = Array.isArray(found) ? found.map(Number) : [0, 0]
        return {
          wait: (wait ?? 0) / 1000,
          full: slots[(full ?? 0) - 1] ?? null,
          // an entry that stays expires with its window
          undo: async () =>
            void (await Promise.all(
              keys.map((key) => redis.run((link) => link.zrem(key, member)).catch(() => 0)),
            )),
        }
      } catch {
        return alone.take(slots, now)
      }
    },
    close: () => redis.close(),
  }
}
