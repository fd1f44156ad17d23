-- Writes fields of a hash, unless a greater fencing token has been there.
--
-- KEYS[1] the hash, which remembers the token in its field fencing-token
-- ARGV[1] the token in decimal digits
-- ARGV[2i], ARGV[2i+1] a field and its value
--
-- Returns nothing if written; the greater token if refused.
local newest = redis.call('HGET', KEYS[1], 'fencing-token') or '0'
local token = ARGV[1]
if #newest > 19 then
  error('WRONGTYPE the field fencing-token has something else than a token')
end
-- As text: a token has more digits than a number of Lua.
if #token < #newest or (#token == #newest and token < newest) then
  return newest
end
redis.call('HSET', KEYS[1], 'fencing-token', unpack(ARGV))
return false
