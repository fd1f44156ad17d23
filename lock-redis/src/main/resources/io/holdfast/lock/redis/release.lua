-- Frees the lock if it is still this owner's, and tells those who wait. Writes nothing that needs
-- memory, so it works when memory is short.
--
-- KEYS[1] the lock; also the name of the channel on which waiters listen
-- ARGV[1] owner id
--
-- Returns 1 if the lock was this owner's, else 0.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('PUBLISH', KEYS[1], ARGV[1])
  return 1
end
return 0
