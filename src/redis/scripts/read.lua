--- Reads one board at one moment (rules R1–R5, P1–P5). Writes nothing, so it runs on replicas.
-- KEYS: 1 definition, 2 periods, 3 dense; then the keys of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 request (JSON): descending, tieBreak, denseReady, reads [kind, period, …]
-- Returns: { 'STALE' } | { 'OK', epoch, { version, total } of each period, a reply to each read }
local definition, registry, indexing = KEYS[1], KEYS[2], KEYS[3]
local incarnation, version, runId = ARGV[1], ARGV[2], ARGV[3]
local request = cjson.decode(ARGV[4])
local descending, tieBreak, denseReady, denseRanks = request.descending, request.tieBreak, request.denseReady, false

--- @include fence
--- @include order
--- @include period
--- @include distinct
--- @include seek
--- @include window
--- @include figures

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end

local periods, heads = {}, {}
for i = 4, #KEYS, keysPerPeriod do
  local period = periodOf(i)
  period.total = redis.call('ZCARD', period.ranking)
  table.insert(periods, period)
  table.insert(heads, { redis.call('HGET', period.meta, 'version') or '0', period.total })
end

local kinds = { page = page, entry = entry, around = around, list = list, position = position, histogram = histogram }
function kinds.head()
  return {}
end
function kinds.periods()
  return redis.call('HGETALL', registry)
end
function kinds.indexing()
  return redis.call('HGETALL', indexing)
end

local replies = {}
for i, read in ipairs(request.reads) do
  replies[i] = kinds[read.kind](periods[read.period], read)
end
return { 'OK', epoch, heads, replies }
