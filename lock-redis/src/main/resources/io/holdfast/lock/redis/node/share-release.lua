-- Gives back each share that is its owner's, now or by its TTL, and takes its owner out of the queue. Tells
-- those who wait.
--
-- KEYS[i] a name; also the name of the channel on which waiters listen
-- ARGV[2i-1] owner id
-- ARGV[2i] 'tell', or the number of milliseconds after which it is to be free
--
-- Returns for each 1 if the owner had a share, else 0; {error}, if the server refused.
local function release(key, owner, how)
  local text = redis.pcall('HGET', key, 'h:' .. owner)
  if type(text) == 'table' then
    -- Something else has taken the place: then it is not this owner's any more. Any other error does not say
    -- whose it is.
    return string.find(text.err, 'WRONGTYPE', 1, true) and 0 or {text.err}
  end
  local entry = decode(text)
  local held = entry and entry.ends > now
  local left = tonumber(how)
  local gone = redis.call('HDEL', key, 'w:' .. owner)
  if held and left then
    entry.ends, entry.set = now + left, now
    local failure = put(key, 'h:' .. owner, entry)
    if failure then
      return {failure}
    end
  else
    gone = gone + redis.call('HDEL', key, 'h:' .. owner)
  end
  settle(key)
  if held or gone > 0 then
    tell(key, owner)
  end
  return held and 1 or 0
end

local answers = {}
for i, key in ipairs(KEYS) do
  answers[i] = release(key, ARGV[2 * i - 1], ARGV[2 * i])
end
return answers
