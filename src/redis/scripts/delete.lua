--- Deletes a board with all it holds in one step, and tells every process.
-- KEYS: 1 definition, 2 periods; then every other key of the board
-- ARGV: 1 fence, 2 channel, 3 board key, 4 number of periods the caller knows
-- Returns: { 'OK' } | { 'CHANGED' } (the board, or the periods it has)
local function main(KEYS, ARGV)
  local definition, registry = KEYS[1], KEYS[2]
  local known, channel, board, periodCount = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
  if redis.call('HGET', definition, 'fence') ~= known then return { 'CHANGED' } end
  if redis.call('HLEN', registry) ~= periodCount then return { 'CHANGED' } end
  for _, key in ipairs(KEYS) do redis.call('UNLINK', key) end
  redis.call('PUBLISH', channel, board)
  return { 'OK' }
end
