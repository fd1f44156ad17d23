-- Takes the lock if it is free, or still this owner's, and draws a token.
--
-- KEYS[1] the lock: a string, the owner id, with a TTL
-- KEYS[2] the token counter of the namespace
-- ARGV[1] owner id
-- ARGV[2] TTL in milliseconds
--
-- Returns {1, token} if granted; {0, remaining TTL in milliseconds} if another owner holds the lock
-- (-1: for ever).
--
-- The token is at least the server's clock in microseconds, so that it grows even if the counter is
-- lost. It is drawn before the lock is taken: if memory is short, the script fails without a lock.
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
  return {0, redis.call('PTTL', KEYS[1])}
end
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
if not last or last < 0 or last >= 2^53 - 1 then
  return redis.error_reply('BADCOUNTER the token counter was overwritten')
end
local time = redis.call('TIME')
local token = math.max(last + 1, time[1] * 1000000 + time[2])
redis.call('SET', KEYS[2], string.format('%.0f', token))
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {1, token}
