-- Frees each lock that is still its owner's, now or by its TTL, and tells those who wait. Writes nothing
-- that needs memory, so it works when memory is short.
--
-- KEYS[i] a lock; also the name of the channel on which waiters listen
-- ARGV[2i-1] owner id
-- ARGV[2i] 'tell'; 'quiet' if nobody is to be told; a number if it is to be free only in so many
--   milliseconds, which those who wait learn when they ask again
-- ARGV[2n+i], of n locks: the set of those who wait for the lock (see acquire.lua), or ''. The owner that has
--   waited the longest is named to all clients that listen, and is to ask first. An owner that does not have the lock leaves the
--   set; if it has been named already, the next is named in its place.
--
-- Returns for each lock 1 if it was this owner's, 2 if somebody was named as well, else 0; {error}, if the
-- server refused.
local answers, free = {}, {}

-- Whether somebody was named.
local function tell(key, owner, waiting)
  local first = waiting ~= '' and redis.pcall('ZPOPMIN', waiting) or {}
  -- Another program's id may have blanks, and a blank is what the name of the next stands behind.
  local id = string.gsub(owner, ' ', '_')
  redis.pcall('PUBLISH', key, first[1] and id .. ' ' .. first[1] or id)
  return first[1] ~= nil
end

for i, key in ipairs(KEYS) do
  local holder = read(key)
  answers[i] = 0
  if holder == ARGV[2 * i - 1] then
    answers[i] = 1
    if not tonumber(ARGV[2 * i]) then
      free[#free + 1] = key
    end
  elseif type(holder) == 'table' and not string.find(holder.err, 'WRONGTYPE', 1, true) then
    -- Something else than a string has taken the lock's place: then it is not this owner's any more. Any
    -- other error does not say whose the lock is.
    answers[i] = {holder.err}
  else
    local waiting = ARGV[2 * #KEYS + i] or ''
    if waiting ~= '' and redis.pcall('ZREM', waiting, ARGV[2 * i - 1]) == 0 and not holder then
      tell(key, ARGV[2 * i - 1], waiting)
    end
  end
end
-- If this is refused, nothing has been done, and the caller asks again for each by itself.
local deleted = #free > 0 and redis.pcall('DEL', unpack(free))
if type(deleted) == 'table' then
  return deleted
end
for i, key in ipairs(KEYS) do
  local left = tonumber(ARGV[2 * i])
  if answers[i] == 1 and left then
    local kept = redis.pcall('PEXPIRE', key, left)
    answers[i] = type(kept) == 'table' and {kept.err} or kept
  end
  -- A hint. Who may not publish must not be told that the release failed, as the lock is free.
  if answers[i] == 1 and ARGV[2 * i] ~= 'quiet' then
    answers[i] = tell(key, ARGV[2 * i - 1], not left and ARGV[2 * #KEYS + i] or '') and 2 or 1
  end
end
return answers
