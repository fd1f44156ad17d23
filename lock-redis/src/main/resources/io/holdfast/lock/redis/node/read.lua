-- What each script of locks begins with.

-- The text of a key. What is longer than any owner id or number is not copied or sent, only refused.
local function read(key)
  local size = redis.pcall('STRLEN', key)
  if type(size) ~= 'table' and size > 1024 then
    return {err = 'WRONGTYPE the value is too long for a lock'}
  end
  return type(size) == 'table' and size or redis.pcall('GET', key)
end

