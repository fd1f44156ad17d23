-- What several owners have of one name. Each script of shares begins with this, after read.lua.
--
-- A name that is shared is a hash, and so never a lock at the same time, which is a string:
--   capacity    how many permits there are
--   places      the last place in the queue that was given to anybody
--   h:<owner>   a holder ("holds"): permits, end, when that was set, token
--   w:<owner>   who waits ("waits"): permits, end of its place, when that was set, place in the queue
-- The letter and the colon keep owner ids apart from the two fields above, and holders from waiters. In
-- state.holders and state.waiters the owner id is without them.
-- Times are milliseconds of the server's clock. The key itself ends with its last entry.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- What the server says instead of an answer.
local function refusal(answer)
  return type(answer) == 'table' and answer.err or nil
end

local function encode(entry)
  return string.format('%.0f %.0f %.0f %.0f', entry.permits, entry.ends, entry.set, entry.number)
end

-- An entry of a hash; nil if there is none. If the clock has gone back since it was set, what was left then
-- is what is left now: a holder that died does not keep its permits for the length of the step.
local function decode(text)
  local permits, ends, set, number = string.match(text or '', '^(%d+) (%d+) (%d+) (%d+)$')
  if not permits then
    return nil
  end
  local entry = {permits = tonumber(permits), ends = tonumber(ends), set = tonumber(set), number = tonumber(number)}
  if entry.set > now then
    entry.ends, entry.set, entry.moved = now + entry.ends - entry.set, now, true
  end
  return entry
end

-- Writes an entry, and has the key live for as long. The first write deletes nothing and needs no memory: after
-- it the server also writes what needs some, if it is short of it.
local function put(key, field, entry)
  local failure = refusal(redis.pcall('HDEL', key, ''))
  if not failure and now + redis.call('PTTL', key) < entry.ends then
    failure = refusal(redis.pcall('PEXPIREAT', key, string.format('%.0f', entry.ends)))
  end
  return failure or refusal(redis.pcall('HSET', key, field, encode(entry)))
end

-- All that is alive; what is over is deleted, and the key if nothing is left. Returns nil and the error if the
-- key is something else: of that nothing is deleted, and it is not read if it has no end, or no capacity.
local function load(key)
  local state = {holders = {}, waiters = {}, held = 0, places = 0, latest = 0, soonest = 2 ^ 53}
  local capacity = redis.pcall('HGET', key, 'capacity')
  if type(capacity) == 'table' then
    return nil, capacity.err
  end
  local left = redis.call('PTTL', key)
  if left == -2 then
    return state
  end
  local foreign = 'WRONGTYPE this hash is no lock'
  state.capacity, state.places = tonumber(capacity or ''), tonumber(redis.call('HGET', key, 'places') or '')
  if left == -1 or not state.capacity or not state.places then
    return nil, foreign
  end
  local all = redis.call('HGETALL', key)
  local entries = {}
  for i = 1, #all, 2 do
    local field, kind = all[i], string.sub(all[i], 1, 2)
    -- Nothing is longer than an owner id. What is, is not sent, as in read.lua.
    if (kind == 'h:' or kind == 'w:') and math.max(#field, #all[i + 1]) <= 1024 then
      entries[field] = decode(all[i + 1])
    end
    if not entries[field] and field ~= 'capacity' and field ~= 'places' then
      return nil, foreign
    end
  end
  for field, entry in pairs(entries) do
    local kind, owner = string.sub(field, 1, 2), string.sub(field, 3)
    if entry.ends <= now then
      redis.call('HDEL', key, field)
    else
      if entry.moved then
        put(key, field, entry)
      end
      state.latest = math.max(state.latest, entry.ends)
      state.soonest = math.min(state.soonest, entry.ends)
      if kind == 'h:' then
        state.holders[owner] = entry
        state.held = state.held + entry.permits
      else
        state.waiters[owner] = entry
      end
    end
  end
  if state.latest == 0 then
    redis.call('DEL', key)
    state.capacity, state.places = nil, 0
  end
  return state
end

-- Ends the key with its last entry: later than it would, or sooner.
local function settle(key)
  local state = load(key)
  if state and state.latest > 0 then
    redis.call('PEXPIREAT', key, string.format('%.0f', state.latest))
  end
end

-- A hint. Who may not publish must not be told that the step failed, as it did not.
local function tell(key, owner)
  redis.pcall('PUBLISH', key, owner)
end

