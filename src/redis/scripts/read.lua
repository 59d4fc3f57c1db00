--- Reads one board at one moment (rules R1–R5, P1–P5). Writes nothing, so it runs on replicas.
-- KEYS: 1 definition, 2 periods, 3 dense, 4 closed; then the keys of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 request (JSON): descending, tieBreak, denseReady, periods [key], reads [kind, period, …]
-- Returns: { 'STALE' } | { 'OK', { epoch, version, total, state, what is known of it if it closed } of each period,
--          a reply to each read }
local definition, registry, indexing, closed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
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

-- A closed period keeps the epoch it closed in: no lost write can change it any more.
local function headOf(period, key)
  local meta = redis.call('HMGET', period.meta, 'version', 'state', 'epoch')
  local record = (not meta[1] or meta[2]) and redis.call('HGET', closed, key)
  return { meta[3] or epoch, meta[1] or '', period.total, meta[2] or '', record or '' }
end

local periods, heads = {}, {}
for i, key in ipairs(request.periods) do
  local period = periodOf(5 + keysPerPeriod * (i - 1))
  period.total = redis.call('ZCARD', period.ranking)
  periods[i], heads[i] = period, headOf(period, key)
end

local kinds = { page = page, entry = entry, around = around, list = list, position = position, histogram = histogram }
function kinds.head()
  return {}
end
function kinds.periods()
  return redis.call('HGETALL', registry)
end
function kinds.closed()
  return redis.call('HGETALL', closed)
end
function kinds.indexing()
  return redis.call('HGETALL', indexing)
end

local replies = {}
for i, read in ipairs(request.reads) do
  replies[i] = kinds[read.kind](periods[read.period], read)
end
return { 'OK', heads, replies }
