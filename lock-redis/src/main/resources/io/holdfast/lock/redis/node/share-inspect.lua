-- Says who holds a name that is shared. Deletes what is over.
--
-- KEYS[1] a name
--
-- Returns {capacity, {owner id, permits, remaining TTL in milliseconds, number}, ...}; {} if nobody does; {0} if
-- it is something else than a share or a lock.
local state, failure = load(KEYS[1])
if not state then
  if not string.find(failure, 'WRONGTYPE', 1, true) then
    return {err = failure}
  end
  return type(read(KEYS[1])) == 'string' and {} or {0}
end
local found = {state.capacity}
for owner, entry in pairs(state.holders) do
  found[#found + 1] = {owner, entry.permits, entry.ends - now, entry.number}
end
return found
