-- Prolongs many locks, each only if it is still its owner's. Never shortens one, so that a request that
-- arrives late does no harm, and never makes one.
--
-- KEYS[i] a lock
-- ARGV[2i-1] its owner id
-- ARGV[2i] TTL in milliseconds
--
-- Returns a list of 1 (prolonged) and 0 (not this owner's any more).
local answers = {}
for i, key in ipairs(KEYS) do
  -- A key that somebody has replaced by another type must not fail the whole batch. Any other error
  -- does not say whose the lock is.
  local owner = redis.pcall('GET', key)
  if type(owner) == 'table' and not string.find(owner.err, 'WRONGTYPE', 1, true) then
    return owner
  end
  if owner == ARGV[2 * i - 1] then
    if redis.call('PTTL', key) < tonumber(ARGV[2 * i]) then
      redis.call('PEXPIRE', key, ARGV[2 * i])
    end
    answers[i] = 1
  else
    answers[i] = 0
  end
end
return answers
