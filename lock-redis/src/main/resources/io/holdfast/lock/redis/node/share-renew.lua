-- Prolongs many shares, each only if it is still its owner's. Never shortens one, and never makes one.
--
-- KEYS[i] a name
-- ARGV[2i-1] owner id
-- ARGV[2i] TTL in milliseconds
--
-- Returns for each 1 (prolonged) or 0 (not this owner's any more); {error}, if the server refused.
local answers = {}
for i, key in ipairs(KEYS) do
  local field = 'h:' .. ARGV[2 * i - 1]
  local text = redis.pcall('HGET', key, field)
  local entry = type(text) == 'string' and decode(text)
  if type(text) == 'table' and not string.find(text.err, 'WRONGTYPE', 1, true) then
    answers[i] = {text.err}
  elseif entry and entry.ends > now then
    entry.ends, entry.set = math.max(entry.ends, now + ARGV[2 * i]), now
    local failure = put(key, field, entry)
    answers[i] = failure and {failure} or 1
  else
    answers[i] = 0
  end
end
return answers
