--- Closes a period: from this step on no submission changes it (rules T2, T3). Instant, whatever its size.
-- KEYS: 1 definition, 2 log, 3 open, 4 closed; then the keys of the period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 channel, 5 period, 6 now (ms), 7 log length
-- Returns: { 'STALE' } | { 'HELD' } | { 'EMPTY' } | { 'OK', what is known of the closed period (JSON) }
local definition, log, opened, closed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
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
local period = periodOf(5)
local number = redis.call('HGET', period.meta, 'version')
if not number then
  redis.call('SREM', opened, key)
  return { 'EMPTY' }
end
local record = { closedAt = now, version = tonumber(number), epoch = epoch }
record.entryCount = redis.call('ZCARD', period.ranking)
local text = cjson.encode(record)
redis.call('HSET', period.meta, 'state', 'CLOSED', 'epoch', epoch)
redis.call('HSET', closed, key, text)
announce({ epoch = epoch, id = '', member = '', at = now, closed = key, changes = {} })
return { 'OK', text }
