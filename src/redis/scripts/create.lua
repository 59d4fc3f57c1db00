--- Creates a board's definition unless it exists.
-- KEYS: 1 definition
-- ARGV: field, value, …
-- Returns: { 'OK' } | { 'EXISTS' }
local function main(KEYS, ARGV)
  local definition = KEYS[1]
  if redis.call('EXISTS', definition) == 1 then return { 'EXISTS' } end
  redis.call('HSET', definition, unpack(ARGV))
  return { 'OK' }
end
