-- Prolongs many locks, each only if it is still its owner's. Never shortens one, so that a request that
-- arrives late does no harm, and never makes one.
--
-- KEYS[i] a lock
-- ARGV[2i-1] its owner id
-- ARGV[2i] TTL in milliseconds
--
-- Returns a list of 1 (prolonged), 0 (not this owner's any more) and {when it ends, in milliseconds of the
-- server's clock; what is left} (prolonged, and it had more left than is asked for: see shorten.lua).
--
-- A renewal always moves the end, so that one that is to be shortened is known by its end.
local answers = {}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i, key in ipairs(KEYS) do
  -- A key that somebody has replaced by another type must not fail the whole batch. Any other error
  -- does not say whose the lock is.
  local owner = read(key)
  if type(owner) == 'table' and not string.find(owner.err, 'WRONGTYPE', 1, true) then
    return owner
  end
  if owner == ARGV[2 * i - 1] then
    local left, ttl = redis.call('PTTL', key), tonumber(ARGV[2 * i])
    if left < ttl then
      redis.call('PEXPIRE', key, ttl)
      answers[i] = 1
    else
      redis.call('PEXPIREAT', key, now + left + 3)
      answers[i] = {now + left + 3, left + 3}
    end
  else
    answers[i] = 0
  end
end
return answers
