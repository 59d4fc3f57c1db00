--- Reads one board at one moment (rules R1–R5, P1–P5). Writes nothing, so it runs on replicas.
-- KEYS: 1 definition, 2 periods, 3 dense, 4 closed; then the keys of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 request (JSON): descending, tieBreak, denseReady, periods [key], reads [kind, period, …]
-- Returns: { 'STALE' } | { 'OK', a text for each period, a text for each read }. A period's lines: epoch, version
--          (empty: Redis does not hold it), entries, rank method of a copy, what is known of it if it closed (JSON).
--          See include/ for those of a read; those of a hash are its fields and values in turn.
local definition, registry, indexing, closed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local incarnation, version, runId = ARGV[1], ARGV[2], ARGV[3]
local request = cjson.decode(ARGV[4])
local descending, tieBreak, denseReady, denseRanks = request.descending, request.tieBreak, request.denseReady, false

--- @include fence
--- @include order
--- @include keys
--- @include period
--- @include distinct
--- @include seek
--- @include window
--- @include figures

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end

-- A closed period keeps the epoch it closed in: no lost write can change it any more.
local function headOf(period, key)
  local meta = redis.call('HMGET', period.meta, 'version', 'state', 'epoch', 'metadata', 'closed', 'dense', 'rankMethod')
  period.hasMetadata = meta[4] == '1'
  -- A copy keeps the index and the method that its period had.
  period.dense, period.rankMethod = meta[6], meta[7]
  local record = meta[5] or ((not meta[1] or meta[2]) and redis.call('HGET', closed, key))
  return table.concat({ meta[3] or epoch, meta[1] or '', period.total, meta[7] or '', record or '' }, '\n')
end

local periods, texts = {}, {}
for i, key in ipairs(request.periods) do
  local period = periodOf(5 + keysPerPeriod * (i - 1))
  period.total = redis.call('ZCARD', period.ranking)
  periods[i], texts[i] = period, headOf(period, key)
end

local kinds = { page = page, entry = entry, around = around, list = list, position = position, histogram = histogram }
function kinds.head()
  return ''
end
local function hash(key)
  return table.concat(redis.call('HGETALL', key), '\n')
end
function kinds.periods()
  return hash(registry)
end
function kinds.closed()
  return hash(closed)
end
function kinds.indexing()
  return hash(indexing)
end

for _, read in ipairs(request.reads) do
  table.insert(texts, kinds[read.kind](periods[read.period], read))
end
return { 'OK', unpack(texts) }
