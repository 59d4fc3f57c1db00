--- Lets go of a closed period whose time in Redis is over, all of it in one step (rule T4).
-- KEYS: 1 kept; then the keys of the period
-- ARGV: 1 period, 2 now (ms)
-- Returns: { 'OK' }
local function main(KEYS, ARGV)
  local kept = KEYS[1]
  local key, now = ARGV[1], tonumber(ARGV[2])
  local mayGo = redis.call('ZSCORE', kept, key)
  -- Prolonged meanwhile, it stays.
  if mayGo and tonumber(mayGo) > now then return { 'OK' } end
  for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
  redis.call('ZREM', kept, key)
  return { 'OK' }
end
