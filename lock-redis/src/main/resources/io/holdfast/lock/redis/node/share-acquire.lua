-- Grants each share that fits into the capacity of its name, together with all that is held and all who ask
-- for some and came before. A claim that is not granted has a place in the queue, which its next call renews, so that
-- a writer is served though readers keep coming. A claim that does not wait has none.
--
-- KEYS[2i-1] a name
-- KEYS[2i] the counter of its numbers
-- ARGV[5i-4] owner id
-- ARGV[5i-3] TTL in milliseconds
-- ARGV[5i-2] permits
-- ARGV[5i-1] capacity
-- ARGV[5i] for how many milliseconds a place is kept; 0 for none
--
-- Returns for each its number, if it was granted; {'', milliseconds after which something may be free}, if
-- not; {'', 0, capacity}, if the name is in use with another one; {error}, if the server refused.

-- The next number; or nil, and why not.
local function draw(counter)
  local stored = read(counter)
  if type(stored) == 'table' then
    return nil, stored.err
  end
  local before = tonumber(stored or '0')
  if not (before and before >= 0 and before < 2 ^ 53 - 1) then
    return nil, 'BADCOUNTER the token counter was overwritten'
  end
  local number = math.max(before + 1, time[1] * 1000000 + time[2])
  local failure = refusal(redis.pcall('SET', counter, string.format('%.0f', number)))
  return not failure and number, failure
end

-- How many permits are asked for by those who came before.
local function ahead(state, owner, place)
  local sum = 0
  for other, entry in pairs(state.waiters) do
    if other ~= owner and (not place or entry.number < place) then
      sum = sum + entry.permits
    end
  end
  return sum
end

local function attempt(key, counter, owner, ttl, permits, capacity, kept)
  local state, failure = load(key)
  if not state then
    -- A string is a lock.
    return type(read(key)) == 'string' and {'', 0, 1} or {failure}
  end
  local unused = not next(state.holders) and not next(state.waiters)
  if not unused and state.capacity ~= capacity then
    return {'', 0, state.capacity}
  end
  local mine = state.holders[owner]
  if mine then
    -- Its answer was lost.
    mine.ends, mine.set = math.max(mine.ends, now + ttl), now
    failure = put(key, 'h:' .. owner, mine)
    return failure and {failure} or mine.number
  end
  local waits = state.waiters[owner]
  local fits = state.held + ahead(state, owner, waits and waits.number) + permits <= capacity
  if not fits and kept == 0 then
    return {'', math.max(1, state.soonest - now)}
  end
  local entry = {permits = permits, set = now}
  if fits then
    entry.ends = now + ttl
    entry.number, failure = draw(counter)
    if failure then
      return {failure}
    end
  else
    entry.ends = now + kept
    entry.number = waits and waits.number or state.places + 1
  end
  local places = fits and state.places or math.max(state.places, entry.number)
  failure = refusal(redis.pcall('HSET', key, 'capacity', capacity, 'places', places))
  failure = failure or put(key, (fits and 'h:' or 'w:') .. owner, entry)
  if failure then
    -- What has no end is no lock.
    if redis.call('PTTL', key) == -1 then
      redis.call('DEL', key)
    end
    return {failure}
  end
  if fits then
    redis.call('HDEL', key, 'w:' .. owner)
    return entry.number
  end
  -- Again before the place is lost.
  return {'', math.max(1, math.min(state.soonest - now, math.floor(kept / 2)))}
end

local answers = {}
for i = 1, #KEYS / 2 do
  answers[i] =
    attempt(
      KEYS[2 * i - 1], KEYS[2 * i], ARGV[5 * i - 4], tonumber(ARGV[5 * i - 3]), tonumber(ARGV[5 * i - 2]),
      tonumber(ARGV[5 * i - 1]), tonumber(ARGV[5 * i]))
end
return answers
