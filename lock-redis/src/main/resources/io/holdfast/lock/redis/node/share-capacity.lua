-- Gives a semaphore that is in use another capacity, and tells those who wait.
--
-- KEYS[1] a name
-- ARGV[1] the capacity that it has
-- ARGV[2] the capacity that it is to have
--
-- Returns 1 if it was in use with the first, else 0.
local state, failure = load(KEYS[1])
if not state then
  return string.find(failure, 'WRONGTYPE', 1, true) and 0 or {err = failure}
end
if state.latest == 0 or state.capacity ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'capacity', ARGV[2])
tell(KEYS[1], '')
return 1
