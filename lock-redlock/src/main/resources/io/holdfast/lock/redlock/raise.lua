-- Has this node store at least a number, if it still holds the lock for its owner.
--
-- KEYS[1] the lock
-- KEYS[2] the counter of the numbers
-- ARGV[1] owner id
-- ARGV[2] the number
--
-- Returns 1 if the lock is this owner's and the counter is not below the number, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if tonumber(redis.call('GET', KEYS[2]) or '0') < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[2])
end
return 1
