--- Replaces fields of a board's definition if nobody changed it meanwhile, and tells every process.
-- KEYS: 1 definition, 2 periods; then keys to drop with it
-- ARGV: 1 fence, 2 new fence, 3 channel, 4 board key, 5 number of periods if any keys are to drop (else empty); then field, value, …
-- Returns: { 'OK' } | { 'CHANGED' }
local function main(KEYS, ARGV)
  local definition, registry = KEYS[1], KEYS[2]
  local known, renewed, channel, board, periodCount = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
  if redis.call('HGET', definition, 'fence') ~= known then return { 'CHANGED' } end
  if periodCount and redis.call('HLEN', registry) ~= periodCount then return { 'CHANGED' } end
  for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
  redis.call('HSET', definition, 'fence', renewed, unpack(ARGV, 6))
  redis.call('PUBLISH', channel, board)
  return { 'OK' }
end
