--- Copies a period as it is into a closed one with a time to live, for strict paging, reports and audits (rule P3).
-- KEYS: 1 definition, 2 kept; then the keys of the period; then those of the copy
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 most entries, 5 TTL (ms), 6 version that the copy is named after,
--       7 now (ms), 8 the copy's key, 9 whether the dense index is complete (1 or 0), 10 rank method
-- Returns: { 'STALE' } | { 'LARGE', entries } | { 'MOVED', version now } | { 'OK' }
local definition, kept = KEYS[1], KEYS[2]
local incarnation, version, runId, mostEntries, ttlMs, expected = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local now, copy, dense, rankMethod = tonumber(ARGV[7]), ARGV[8], ARGV[9], ARGV[10]

--- @include fence
--- @include keys

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
local from, to = periodOf(3), periodOf(3 + keysPerPeriod)
local total = redis.call('ZCARD', from.ranking)
if total > tonumber(mostEntries) then return { 'LARGE', total } end
local number = redis.call('HGET', from.meta, 'version') or '0'
if number ~= expected then return { 'MOVED', number } end
-- Who asked before for the same copy was promised another time.
ttlMs = math.max(tonumber(ttlMs), redis.call('PTTL', to.meta))
for name, key in pairs(from) do redis.call('COPY', key, to[name], 'REPLACE') end
if dense == '0' then redis.call('UNLINK', to.distinct) end
local expiresAt = now + ttlMs
local record = { closedAt = now, version = tonumber(number), epoch = epoch, entryCount = total, expiresAt = expiresAt }
redis.call('HSET', to.meta, 'state', 'CLOSED', 'epoch', epoch, 'version', number, 'closed', cjson.encode(record))
redis.call('HSET', to.meta, 'dense', dense, 'rankMethod', rankMethod)
for _, key in pairs(to) do redis.call('PEXPIRE', key, ttlMs) end
redis.call('ZADD', kept, expiresAt, copy)
return { 'OK' }
