--- Replaces fields of a board's definition if nobody changed it meanwhile, and tells every process.
-- KEYS: 1 definition, 2 periods; then meta and distinct of each period, and dense, if the dense index is to go
-- ARGV: 1 fence, 2 new fence, 3 channel, 4 board key, 5 number of periods if the dense index is to go (else empty); then field, value, …
-- Returns: { 'OK' } | { 'CHANGED' }
local function main(KEYS, ARGV)
  local definition, registry = KEYS[1], KEYS[2]
  local known, renewed, channel, board, periodCount = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
  if redis.call('HGET', definition, 'fence') ~= known then return { 'CHANGED' } end
  if periodCount and redis.call('HLEN', registry) ~= periodCount then return { 'CHANGED' } end
  if periodCount then redis.call('UNLINK', KEYS[#KEYS]) end
  for i = 3, #KEYS - 1, 2 do
    local meta, distinct = KEYS[i], KEYS[i + 1]
    -- A closed period keeps what it is ranked by.
    if redis.call('HGET', meta, 'dense') ~= '1' then redis.call('UNLINK', distinct) end
  end
  redis.call('HSET', definition, 'fence', renewed, unpack(ARGV, 6))
  redis.call('PUBLISH', channel, board)
  return { 'OK' }
end
