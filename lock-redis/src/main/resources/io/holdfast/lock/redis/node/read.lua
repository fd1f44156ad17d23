-- What each script of locks begins with.

-- The text of a key; false if there is none. What is longer than any owner id or number is not copied or
-- sent, only refused.
local function read(key)
  local text = redis.pcall('GETRANGE', key, 0, 1024)
  if text == '' then
    -- There is no key, or its value is empty.
    return redis.pcall('GET', key)
  end
  if type(text) ~= 'table' and #text > 1024 then
    return {err = 'WRONGTYPE the value is too long for a lock'}
  end
  return text
end

