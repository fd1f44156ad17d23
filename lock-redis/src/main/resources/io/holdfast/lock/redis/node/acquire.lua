-- Takes each lock that is free, or still its owner's, and draws a number for it.
--
-- KEYS[2i-1] a lock: a string, the owner id, with a TTL
-- KEYS[2i] the counter of its numbers
-- ARGV[4i-3] owner id
-- ARGV[4i-2] TTL in milliseconds
-- ARGV[4i-1] the least number that will do
-- ARGV[4i] grain of the clock in microseconds
-- ARGV[4n+i], of n locks: the set of those who wait for the lock, in the order in which they came, if its
--   owner is to be in it for as long as it is refused; or '', or nothing. It is no key of this script, so that
--   a user who may not touch it gets locks all the same.
--
-- Returns for each lock its number, if it was taken; {owner id, remaining TTL in milliseconds (-1: for
-- ever)}, if another owner holds it; {error}, if the server refused. What is refused to one lock must not
-- fail the others, so nothing raises an error once something is written.
--
-- A number is at least the server's clock in microseconds, so that it grows even if the counter is
-- lost. A counter that is there bounds the past by itself, and is compared with the clock in whole
-- grains, so that servers whose counters agree draw the same number. A lock for which no number can be
-- drawn is freed again.
local answers = {}
local count = #KEYS / 2
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

-- A hint, for release.lua: it may fail.
local function note(waiting, owner, granted)
  if granted then
    redis.pcall('ZREM', waiting, owner)
  else
    redis.pcall('ZADD', waiting, 'NX', string.format('%.0f', now), owner)
    -- A client that waits asks more often.
    redis.pcall('PEXPIRE', waiting, 60000)
  end
end

-- Of each counter: how many of the locks it is for, the last number drawn, and up to where it was moved on,
-- so that one write does for many.
local locks, last, upTo
local many = count > 1
if many then
  locks, last, upTo = {}, {}, {}
  for i = 2, #KEYS, 2 do
    locks[KEYS[i]] = (locks[KEYS[i]] or 0) + 1
  end
end
for i = 1, count do
  local key, counter, owner, ttl = KEYS[2 * i - 1], KEYS[2 * i], ARGV[4 * i - 3], ARGV[4 * i - 2]
  -- One command is enough for a lock that is free. It changes nothing of what is there.
  local set = redis.pcall('SET', key, owner, 'PX', ttl, 'NX')
  local taken = set and set.ok
  local holder, left, refusal, number
  if not taken then
    holder = read(key)
    refusal = type(holder) == 'table' and holder.err
    left = not refusal and holder and redis.pcall('PTTL', key)
    refusal = refusal or type(left) == 'table' and left.err
  end
  if not refusal and (not holder or holder == owner) then
    local least = tonumber(ARGV[4 * i - 1])
    if many and last[counter] then
      number = math.max(last[counter] + 1, least)
    else
      local stored = read(counter)
      local before = type(stored) ~= 'table' and tonumber(stored or '0')
      if type(stored) == 'table' then
        refusal = stored.err
      -- Not a number is not in these bounds either.
      elseif not (before and before >= 0 and before < 2^53 - #KEYS) then
        refusal = 'BADCOUNTER the token counter was overwritten'
      else
        local clock = stored and now - now % ARGV[4 * i] or now
        number = math.max(before + 1, least, clock)
      end
    end
    if number and number > (many and upTo[counter] or 0) then
      local to = many and number + locks[counter] - 1 or number
      refusal = redis.pcall('SET', counter, string.format('%.0f', to)).err
      if many and not refusal then
        upTo[counter] = to
      end
    end
    if not refusal then
      if many then
        last[counter] = number
      end
      if not taken then
        -- A renewal may have given its owner more time than it asks for now.
        ttl = left and math.max(left, ttl) or ttl
        refusal = redis.pcall('SET', key, owner, 'PX', ttl).err
      end
    elseif taken then
      redis.pcall('DEL', key)
    end
  end
  answers[i] = refusal and {refusal} or number or {holder, left}
  local waiting = ARGV[4 * count + i]
  if waiting and waiting ~= '' and not refusal then
    note(waiting, owner, number)
  end
end
return answers
