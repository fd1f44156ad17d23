-- Takes the lock if it is free, or still this owner's, and draws a number.
--
-- KEYS[1] the lock: a string, the owner id, with a TTL
-- KEYS[2] the counter of the numbers
-- ARGV[1] owner id
-- ARGV[2] TTL in milliseconds
-- ARGV[3] the least number that will do
-- ARGV[4] grain of the clock in microseconds
--
-- Returns {1, number} if taken; {0, remaining TTL in milliseconds, owner id} if another owner holds
-- the lock (-1: for ever).
--
-- The number is at least the server's clock in microseconds, so that it grows even if the counter is
-- lost. A counter that is there bounds the past by itself, and is compared with the clock in whole
-- grains, so that servers whose counters agree draw the same number. The number is drawn before the
-- lock is taken: if memory is short, the script fails without a lock.
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
  return {0, redis.call('PTTL', KEYS[1]), owner}
end
local counter = redis.call('GET', KEYS[2])
local last = tonumber(counter or '0')
-- Not a number is not in these bounds either.
if not (last and last >= 0 and last < 2^53 - 1) then
  return redis.error_reply('BADCOUNTER the token counter was overwritten')
end
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
if counter then
  clock = clock - clock % tonumber(ARGV[4])
end
local number = math.max(last + 1, tonumber(ARGV[3]), clock)
redis.call('SET', KEYS[2], string.format('%.0f', number))
-- A renewal may have given its owner more time than it asks for now.
local left = owner and redis.call('PTTL', KEYS[1]) or 0
redis.call('SET', KEYS[1], ARGV[1], 'PX', math.max(left, ARGV[2]))
return {1, number}
