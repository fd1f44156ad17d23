-- Grants permits, if no window of the length then has more than the limit. A refusal writes nothing.
--
-- KEYS[1] what was granted: a list, the oldest first, of "at before after": the server's clock in
--         microseconds, and how many permits were granted here before this and with it
-- ARGV[1] the limit
-- ARGV[2] the length of the window in microseconds
-- ARGV[3] how many permits are wanted, from 1 to the limit
--
-- Returns {1, permits that are left}; {0, microseconds until so many are free} if that is too many now.
local key = KEYS[1]
local limit, window, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count = redis.call('LLEN', key)

local function grant(index)
  local at, before, after = string.match(redis.call('LINDEX', key, index), '^(%d+) (%d+) (%d+)$')
  if not at then
    error('WRONGTYPE the list has something else than grants')
  end
  return {at = tonumber(at), before = tonumber(before), after = tonumber(after)}
end

local function add(at, before, after)
  redis.call('RPUSH', key, string.format('%.0f %.0f %.0f', at, before, after))
  redis.call('PEXPIREAT', key, string.format('%.0f', math.ceil((at + window) / 1000)))
end

-- The index of the first grant for which something is true, as it is for all later ones; else their
-- number.
local function first(is_true)
  local low, high = 0, count
  while low < high do
    local middle = math.floor((low + high) / 2)
    if is_true(grant(middle)) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local function first_since(at)
  return first(function(one) return one.at > at end)
end

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local newest = count > 0 and grant(-1) or {at = 0, after = 0}

-- The clock has gone back. By less than a window: time stands still until it is there again. By more:
-- what counts now counts as of now.
if newest.at - clock > window then
  local from = grant(first_since(newest.at - window))
  add(clock, from.before, newest.after)
  redis.call('LTRIM', key, -1, -1)
  count = 1
  newest = grant(-1)
end
local now = math.max(clock, newest.at)

local live = first_since(now - window)
local before = live < count and grant(live).before or newest.after
local used = newest.after - before
local over = used + wanted - limit
if over > 0 then
  local enough = grant(first(function(one) return one.after - before >= over end))
  return {0, enough.at + window - clock}
end
if live > 0 then
  redis.call('LTRIM', key, live, -1)
end
add(now, newest.after, newest.after + wanted)
return {1, limit - used - wanted}
