-- Gives a part of a share back, if it is its owner's, and tells those who wait.
--
-- KEYS[1] a name
-- ARGV[1] owner id
-- ARGV[2] how many permits it keeps; if it has no more, nothing changes
--
-- Returns 1 if the owner has a share, else 0.
local text = redis.pcall('HGET', KEYS[1], 'h:' .. ARGV[1])
if type(text) == 'table' and not string.find(text.err, 'WRONGTYPE', 1, true) then
  return text
end
local entry = type(text) == 'string' and decode(text)
if not entry or entry.ends <= now then
  return 0
end
if entry.permits > tonumber(ARGV[2]) then
  entry.permits = tonumber(ARGV[2])
  local failure = put(KEYS[1], 'h:' .. ARGV[1], entry)
  settle(KEYS[1])
  if failure then
    return {err = failure}
  end
  tell(KEYS[1], ARGV[1])
end
return 1
