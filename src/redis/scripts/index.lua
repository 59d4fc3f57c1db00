--- Adds the next distinct scores of a period to its dense index, best first: one bounded step of building it (rule R4).
-- KEYS: 1 definition, 2 dense; then the keys of the period
-- ARGV: 1 board (JSON), 2 period, 3 scores in this step
-- Returns: 'STALE' | { 'OK', 'MORE' } | { 'OK', 'DONE' }
-- Writers keep the index for every score they touch, so that a step only adds what no write has since.
local function main(KEYS, ARGV)
  local definition, indexing = KEYS[1], KEYS[2]
  local boardText, key, count = ARGV[1], ARGV[2], ARGV[3]
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  local period = periodOf(KEYS, 3)
  local last = call('HGET', indexing, key)
  if last == 'DONE' then return { 'OK', 'DONE' } end
  for _ = 1, tonumber(count) do
    local at = last and atLeast(period.ranking, last) or 0
    local score = slice(period.ranking, at, at)[2]
    if not score then
      call('HSET', indexing, key, 'DONE')
      return { 'OK', 'DONE' }
    end
    holdScore(period, score)
    last = score
  end
  call('HSET', indexing, key, last)
  return { 'OK', 'MORE' }
end
