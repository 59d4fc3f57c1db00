--- Gives a board a new epoch when another Redis process holds it than before: writes may be lost (rule T5).
-- KEYS: 1 definition
-- ARGV: 1 run id, 2 new epoch
-- Returns: { 'OK' }
local function main(KEYS, ARGV)
  local definition = KEYS[1]
  local runId, epoch = ARGV[1], ARGV[2]
  local known = redis.call('HGET', definition, 'runId')
  if known and known ~= runId then redis.call('HSET', definition, 'runId', runId, 'epoch', epoch) end
  return { 'OK' }
end
