--- Removes one member's entries from periods of one board in one step.
-- KEYS: 1 definition, 2 log; then the keys of each period
-- ARGV: 1 board (JSON), 2 request (JSON): now (text), id, member, evenClosed (whether closed periods too), periods [key]
-- Returns: 'STALE' | { 'CLOSED', period } | { 'OK', changes (JSON, include/change.lua) }
local function main(KEYS, ARGV)
  local definition, log = KEYS[1], KEYS[2]
  local boardText, request = ARGV[1], cjson.decode(ARGV[2])
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  local periods = {}
  for i, asked in ipairs(request.periods) do
    periods[i] = periodOf(KEYS, 3 + keysPerPeriod * (i - 1))
    local found = call('HMGET', periods[i].meta, 'state', 'dense')
    periods[i].closed, periods[i].dense = found[1] == 'CLOSED', found[2]
    if periods[i].closed and not request.evenClosed then return { 'CLOSED', asked.key } end
  end

  local member, changes = request.member, {}
  for i, period in ipairs(periods) do
    local ordered = orderedOf(period, member)
    local score = ordered and call('ZSCORE', period.ranking, ordered)
    -- What the archive holds or is about to hold is corrected there, as a new revision.
    if score and not (period.closed and board.archive) then
      local place = placeBefore(period, ordered, score)
      call('ZREM', period.ranking, ordered)
      call('HDEL', period.tie, member)
      call('HDEL', period.metadata, member)
      local before = beforeText(place, ordered, member, dropScore(period, score))
      local version = call('HINCRBY', period.meta, 'version', 1)
      table.insert(changes, changeText(request.periods[i].key, 'REMOVED', version, '0', '0', before, '0'))
    end
  end
  if #changes > 0 then
    local told = {}
    tell(told, { id = request.id, member = member, at = request.now }, changes)
    announce(log, told)
  end
  return { 'OK', '[' .. table.concat(changes, ',') .. ']' }
end
