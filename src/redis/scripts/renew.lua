--- Gives a board a new epoch when another Redis process holds it than before: writes may be lost (rule T5).
-- KEYS: 1 definition
-- ARGV: 1 fence as the caller found it, 2 new fence
-- Returns: { 'OK' }
local function main(KEYS, ARGV)
  local definition = KEYS[1]
  local known, renewed = ARGV[1], ARGV[2]
  if redis.call('HGET', definition, 'fence') == known then redis.call('HSET', definition, 'fence', renewed) end
  return { 'OK' }
end
