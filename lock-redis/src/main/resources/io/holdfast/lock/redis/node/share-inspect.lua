-- Says who holds a name that is shared. Deletes what is over.
--
-- KEYS[1] a name
--
-- Returns {capacity, {owner id, permits, remaining TTL in milliseconds, number}, ...}; {} if nobody does, or
-- if it is something else.
local state, failure = load(KEYS[1])
if not state then
  return string.find(failure, 'WRONGTYPE', 1, true) and {} or {err = failure}
end
local found = {state.capacity}
for owner, entry in pairs(state.holders) do
  found[#found + 1] = {owner, entry.permits, entry.ends - now, entry.number}
end
return found
