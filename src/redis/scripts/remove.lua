--- Removes one member's entries from periods of one board in one step.
-- KEYS: 1 definition, 2 log; then ranking and meta of each period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 channel, 5 request (JSON): now, logLength, descending, id, member,
--       even closed (boolean), periods [key]
-- Returns: { 'STALE' } | { 'CLOSED', period } | { 'OK', changes (JSON) }
local definition, log = KEYS[1], KEYS[2]
local incarnation, version, runId, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local request = cjson.decode(ARGV[5])
local descending, logLength = request.descending, request.logLength

--- @include fence
--- @include order
--- @include announce

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
for i, period in ipairs(request.periods) do
  period.ranking, period.meta = KEYS[2 * i + 1], KEYS[2 * i + 2]
  if not request.evenClosed and redis.call('HGET', period.meta, 'state') == 'CLOSED' then
    return { 'CLOSED', period.key }
  end
end

local changes = {}
for _, period in ipairs(request.periods) do
  local score = redis.call('ZSCORE', period.ranking, request.member)
  if score then
    local change = { period = period.key, outcome = 'REMOVED', previousScore = score }
    change.previousIndex = indexOf(period.ranking, request.member)
    change.previousRank = betterThan(period.ranking, score) + 1
    redis.call('ZREM', period.ranking, request.member)
    change.version = redis.call('HINCRBY', period.meta, 'version', 1)
    table.insert(changes, change)
  end
end
if #changes > 0 then
  announce({ epoch = epoch, id = request.id, member = request.member, at = request.now, changes = changes })
end
return { 'OK', cjson.encode(changes) }
