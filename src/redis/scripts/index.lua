--- Adds the next distinct scores of a period to its dense index, best first: one bounded step of building it (rule R4).
-- KEYS: 1 definition, 2 dense; then the keys of the period
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 sort order, 5 period, 6 scores in this step
-- Returns: { 'STALE' } | { 'OK', 'MORE' } | { 'OK', 'DONE' }
-- Writers keep the index for every score they touch, so that a step only adds what no write has since.
local definition, indexing = KEYS[1], KEYS[2]
local incarnation, version, runId, sortOrder, key, count = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local descending, denseRanks, denseReady = sortOrder == 'HIGH_TO_LOW', true, false

--- @include fence
--- @include order
--- @include keys
--- @include distinct

if not fenced(incarnation, version, runId) then return { 'STALE' } end
local period = periodOf(3)
local last = redis.call('HGET', indexing, key)
if last == 'DONE' then return { 'OK', 'DONE' } end
for _ = 1, tonumber(count) do
  local at = last and atLeast(period.ranking, last) or 0
  local score = slice(period.ranking, at, at)[2]
  if not score then
    redis.call('HSET', indexing, key, 'DONE')
    return { 'OK', 'DONE' }
  end
  holdScore(period, score)
  last = score
end
redis.call('HSET', indexing, key, last)
return { 'OK', 'MORE' }
