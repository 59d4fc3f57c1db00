--- Reads one board at one moment (rules R4, P1–P5). Writes nothing, so it runs on replicas.
-- KEYS: 1 definition, 2 periods; then ranking and meta of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 request (JSON): descending, reads [kind, period, …]
-- Returns: { 'STALE' } | { 'OK', epoch, { version, total } of each period, a reply to each read }
local definition, registry = KEYS[1], KEYS[2]
local incarnation, version, runId = ARGV[1], ARGV[2], ARGV[3]
local request = cjson.decode(ARGV[4])
local descending = request.descending

--- @include fence
--- @include order
--- @include seek
--- @include window

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end

local periods, heads = {}, {}
for i = 3, #KEYS, 2 do
  local period = { ranking = KEYS[i], total = redis.call('ZCARD', KEYS[i]) }
  table.insert(periods, period)
  table.insert(heads, { redis.call('HGET', KEYS[i + 1], 'version') or '0', period.total })
end

local kinds = { page = page, entry = entry, around = around }
function kinds.head()
  return {}
end
function kinds.periods()
  return redis.call('HGETALL', registry)
end

local replies = {}
for i, read in ipairs(request.reads) do
  replies[i] = kinds[read.kind](periods[read.period], read)
end
return { 'OK', epoch, heads, replies }
