-- Frees the lock if it is still this owner's, and tells those who wait. Writes nothing that needs
-- memory, so it works when memory is short.
--
-- KEYS[1] the lock; also the name of the channel on which waiters listen
-- ARGV[1] owner id
-- ARGV[2] 'quiet' if nobody is to be told
--
-- Returns 1 if the lock was this owner's, else 0.
local owner = redis.pcall('GET', KEYS[1])
-- Something else than a string has taken the lock's place: then it is not this owner's any more.
if type(owner) == 'table' and not string.find(owner.err, 'WRONGTYPE', 1, true) then
  return owner
end
if owner == ARGV[1] then
  redis.call('DEL', KEYS[1])
  -- A hint. Who may not publish must not be told that the release failed, as the lock is free.
  if ARGV[2] ~= 'quiet' then
    redis.pcall('PUBLISH', KEYS[1], ARGV[1])
  end
  return 1
end
return 0
