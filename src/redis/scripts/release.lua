--- Lets go of a closed period whose time in Redis is over, all of it in one step (rule T4).
-- KEYS: 1 kept; then the keys of the period
-- ARGV: 1 period
-- Returns: { 'OK' }
local kept = KEYS[1]
local key = ARGV[1]
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
redis.call('ZREM', kept, key)
return { 'OK' }
