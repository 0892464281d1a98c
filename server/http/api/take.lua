-- Takes all windows atomically, or none [API 1.6]; a late call counts at the newest time of its windows.
-- ARGV: the time in ms, a member, the longest set-back of a clock in ms; then count and ms of each window.
-- Returns the number of the full window, from 1, and the ms to wait; or 0, 0.
local asked, member = tonumber(ARGV[1]), ARGV[2]
local now = asked
for _, key in ipairs(KEYS) do
  local last = redis.call('zrange', key, -1, -1, 'withscores')
  if last[2] and tonumber(last[2]) > now then now = tonumber(last[2]) end
end
if now - asked > tonumber(ARGV[3]) then now = asked end
for i, key in ipairs(KEYS) do
  local count, window = tonumber(ARGV[2 + 2 * i]), tonumber(ARGV[3 + 2 * i])
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
  redis.call('pexpire', key, tonumber(ARGV[3 + 2 * i]))
end
return {0, 0}
