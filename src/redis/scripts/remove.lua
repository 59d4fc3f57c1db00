--- Removes one member's entries from periods of one board in one step.
-- KEYS: 1 definition, 2 log; then the keys of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 channel, 5 request (JSON): now, logLength, rules, id, member,
--       evenClosed (whether closed periods too), periods [key]
-- Returns: { 'STALE' } | { 'CLOSED', period } | { 'OK', changes (JSON) }
local definition, log = KEYS[1], KEYS[2]
local incarnation, version, runId, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local request = cjson.decode(ARGV[5])
local logLength = request.logLength
local rules = request.rules
local descending, tieBreak, denseRanks, denseReady = rules.descending, rules.tieBreak, rules.denseRanks, rules.denseReady

--- @include fence
--- @include order
--- @include keys
--- @include period
--- @include distinct
--- @include announce

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
local periods = {}
for i, asked in ipairs(request.periods) do
  periods[i] = periodOf(3 + keysPerPeriod * (i - 1))
  periods[i].closed = redis.call('HGET', periods[i].meta, 'state') == 'CLOSED'
  if periods[i].closed and not request.evenClosed then return { 'CLOSED', asked.key } end
end

local changes = {}
for i, period in ipairs(periods) do
  local ordered = orderedOf(period, request.member)
  local score = ordered and redis.call('ZSCORE', period.ranking, ordered)
  -- What the archive holds or is about to hold is corrected there, as a new revision.
  if score and not (period.closed and rules.archive) then
    local change = { period = request.periods[i].key, outcome = 'REMOVED', before = placeOf(period, ordered, score) }
    redis.call('ZREM', period.ranking, ordered)
    redis.call('HDEL', period.tie, request.member)
    redis.call('HDEL', period.metadata, request.member)
    change.before.dropped = dropScore(period, score)
    change.version = redis.call('HINCRBY', period.meta, 'version', 1)
    table.insert(changes, change)
  end
end
if #changes > 0 then
  announce({ epoch = epoch, id = request.id, member = request.member, at = request.now, changes = changes })
end
return { 'OK', cjson.encode(changes) }
