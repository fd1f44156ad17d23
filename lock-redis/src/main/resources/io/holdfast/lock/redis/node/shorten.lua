-- Shortens locks that the server keeps for longer than their owners have asked for, as after a step of its
-- clock back: each only if it is still its owner's, and if no renewal has moved its end since that end was
-- read. So a request that arrives late does no harm.
--
-- KEYS[i] a lock
-- ARGV[3i-2] its owner id
-- ARGV[3i-1] when it ends, as renew.lua said
-- ARGV[3i] TTL in milliseconds
--
-- Returns how many were shortened.
local count = 0
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i, key in ipairs(KEYS) do
  if read(key) == ARGV[3 * i - 2] then
    -- Some versions tell the time of a script to within a millisecond. A renewal moves the end by more.
    local ends = now + redis.call('PTTL', key)
    if math.abs(ends - ARGV[3 * i - 1]) <= 1 then
      redis.call('PEXPIRE', key, ARGV[3 * i])
      count = count + 1
    end
  end
end
return count
