import { randomUUID } from 'node:crypto'
import type { RedisLink } from '../../redis.ts'
import { memoryLimiter, SET_BACK_MS, type Limiter } from '../../route/limits.ts'

/**
 * Takes all windows atomically, or none [API 1.6]; a late call counts at the newest time of its
 * windows. Returns the number of the full window, from 1, and the ms to wait; or 0, 0.
 */
const TAKE = `
local asked, member = tonumber(ARGV[1]), ARGV[2]
local now = asked
for _, key in ipairs(KEYS) do
  local last = redis.call('zrange', key, -1, -1, 'withscores')
  if last[2] and tonumber(last[2]) > now then now = tonumber(last[2]) end
end
if now - asked > ${SET_BACK_MS} then now = asked end
for i, key in ipairs(KEYS) do
  local count, window = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  redis.call('zremrangebyscore', key, '-inf', now - window)
  redis.call('zremrangebyscore', key, '(' .. now, '+inf')
  local held = redis.call('zcard', key)
  if held >= count then
    local first = redis.call('zrange', key, held - count, held - count, 'withscores')
    return {i, math.ceil(tonumber(first[2]) + window - now)}
  end
end
for i, key in ipairs(KEYS) do
  redis.call('zadd', key, now, member)
  redis.call('pexpire', key, tonumber(ARGV[2 + 2 * i]))
end
return {0, 0}`

/**
 * Windows shared by all processes; `scope` separates databases that share one Redis. While Redis is
 * unavailable each process counts alone, so that a limit always holds.
 */
export function redisLimiter(redis: RedisLink, scope: string): Limiter & { close(): void } {
  const alone = memoryLimiter()
  // short: a busy network stores tens of thousands of members
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
          link.eval(TAKE, slots.length, ...keys, now, member, ...values),
        )
        const [full, wait] = Array.isArray(found) ? found.map(Number) : [0, 0]
        return {
          wait: (wait ?? 0) / 1000,
          full: slots[(full ?? 0) - 1] ?? null,
          // an entry that cannot be removed now expires with its window
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
