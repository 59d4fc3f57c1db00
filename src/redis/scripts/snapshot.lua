--- Copies a period as it is into a closed one with a time to live, for strict paging, reports and audits (rule P3).
-- KEYS: 1 definition; then the keys of the period; then those of the copy
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 most entries, 5 TTL (ms), 6 version that the copy is named after
-- Returns: { 'STALE' } | { 'TOO_LARGE', entries } | { 'MOVED', version now } | { 'OK' }
local definition = KEYS[1]
local incarnation, version, runId, mostEntries, ttlMs, expected = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

--- @include fence
--- @include keys

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
local from, to = periodOf(2), periodOf(2 + keysPerPeriod)
local total = redis.call('ZCARD', from.ranking)
if total > tonumber(mostEntries) then return { 'TOO_LARGE', total } end
local number = redis.call('HGET', from.meta, 'version') or '0'
if number ~= expected then return { 'MOVED', number } end
for name, key in pairs(from) do redis.call('COPY', key, to[name], 'REPLACE') end
redis.call('HSET', to.meta, 'state', 'CLOSED', 'epoch', epoch, 'version', number)
for _, key in pairs(to) do redis.call('PEXPIRE', key, ttlMs) end
return { 'OK' }
