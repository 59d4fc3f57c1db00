--- Closes a period: from this step on no submission changes it (rules T2, T3). Instant, whatever its size.
-- KEYS: 1 definition, 2 log, 3 closed; then the keys of the period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 channel, 5 period, 6 now (ms), 7 log length
-- Returns: { 'STALE' } | { 'HELD' } | { 'OK', what is known of the closed period (JSON) }
local definition, log, closed = KEYS[1], KEYS[2], KEYS[3]
local incarnation, version, runId, channel, key = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local now, logLength = tonumber(ARGV[6]), ARGV[7]

--- @include fence
--- @include keys
--- @include announce

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
local known = redis.call('HGET', closed, key)
if known then return { 'OK', known } end
if redis.call('HGET', definition, 'backfill') == 'true' then return { 'HELD' } end
local period = periodOf(4)
local number = redis.call('HGET', period.meta, 'version')
local record = { closedAt = now, version = tonumber(number or 0), epoch = epoch }
record.entryCount = redis.call('ZCARD', period.ranking)
if number then
  redis.call('HSET', period.meta, 'state', 'CLOSED', 'epoch', epoch)
else
  -- Nothing was ever written: nothing is to be archived, and nothing will be.
  record.expiresAt, record.archived = now, false
end
local text = cjson.encode(record)
redis.call('HSET', closed, key, text)
announce({ epoch = epoch, id = '', member = '', at = now, closed = key, changes = {} })
return { 'OK', text }
