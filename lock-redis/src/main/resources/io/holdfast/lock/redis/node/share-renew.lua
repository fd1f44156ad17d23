-- Prolongs many shares, each only if it is still its owner's. Never shortens one, and never makes one. A fail-over
-- may have undone that a part was given back: then this gives it back again, and tells those who wait.
--
-- KEYS[i] a name
-- ARGV[3i-2] owner id
-- ARGV[3i-1] TTL in milliseconds
-- ARGV[3i] how many permits it keeps; if it has no more, they stay, as share-reduce.lua may have overtaken this
--
-- Returns for each 1 (prolonged) or 0 (not this owner's any more); {error}, if the server refused.
local answers = {}
for i, key in ipairs(KEYS) do
  local owner, kept = ARGV[3 * i - 2], tonumber(ARGV[3 * i])
  local field = 'h:' .. owner
  local text = redis.pcall('HGET', key, field)
  local entry = type(text) == 'string' and decode(text)
  if type(text) == 'table' and not string.find(text.err, 'WRONGTYPE', 1, true) then
    answers[i] = {text.err}
  elseif entry and entry.ends > now then
    local had = entry.permits
    entry.ends, entry.set = math.max(entry.ends, now + ARGV[3 * i - 1]), now
    entry.permits = math.min(had, kept)
    local failure = put(key, field, entry)
    if not failure and kept < had then
      tell(key, owner)
    end
    answers[i] = failure and {failure} or 1
  else
    answers[i] = 0
  end
end
return answers
