-- Says who holds a lock. Writes nothing.
--
-- KEYS[1] the lock
--
-- Returns {owner id, remaining TTL in milliseconds (-1: for ever)}; {} if nobody does; {''} if it is no lock,
-- but may be a name that several share.
local owner = read(KEYS[1])
if type(owner) == 'table' then
  -- Something else than a string is no lock.
  if string.find(owner.err, 'WRONGTYPE', 1, true) then
    return {''}
  end
  return owner
end
if not owner then
  return {}
end
return {owner, redis.call('PTTL', KEYS[1])}
