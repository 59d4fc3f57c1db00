--- Ends the closing of a period: notes what became of it and until when Redis keeps it (rules T3, T4).
-- KEYS: 1 definition, 2 open, 3 closed, 4 kept; then the keys of the period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 period, 5 what is known of it (JSON), 6 time it may go (ms), 7 TTL (ms)
-- Returns: { 'STALE' } | { 'OK' }
local definition, opened, closed, kept = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local incarnation, version, runId, key, record = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local expiresAt, ttlMs = ARGV[6], ARGV[7]

--- @include fence

if not fenced(incarnation, version, runId) then return { 'STALE' } end
-- A closer that was overtaken does not undo what came after it: a correction has a higher revision.
local known = redis.call('HGET', closed, key)
if known and (cjson.decode(known).revision or 0) > (cjson.decode(record).revision or 0) then return { 'OK' } end
redis.call('HSET', closed, key, record)
redis.call('SREM', opened, key)
redis.call('ZADD', kept, expiresAt, key)
-- All at one instant, so that no half of it is left; release.lua comes before where a process is up.
for i = 5, #KEYS do redis.call('PEXPIRE', KEYS[i], ttlMs) end
return { 'OK' }
