--- Replaces fields of a board's definition if nobody changed it meanwhile, and tells every process.
-- KEYS: 1 definition
-- ARGV: 1 incarnation, 2 version, 3 channel, 4 board key; then field, value, …
-- Returns: { 'OK' } | { 'CHANGED' }
local definition = KEYS[1]
local incarnation, version, channel, board = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local known = redis.call('HMGET', definition, 'incarnation', 'version')
if known[1] ~= incarnation or known[2] ~= version then return { 'CHANGED' } end
redis.call('HSET', definition, unpack(ARGV, 5))
redis.call('HINCRBY', definition, 'version', 1)
redis.call('PUBLISH', channel, board)
return { 'OK' }
