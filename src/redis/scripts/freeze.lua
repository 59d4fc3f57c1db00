--- Closes a period: from this step on no submission changes it (rules T2, T3). Instant, whatever its size.
-- KEYS: 1 definition, 2 log, 3 closed; then the keys of the period
-- ARGV: 1 board (JSON), 2 period, 3 now (ms)
-- Returns: 'STALE' | { 'HELD' } | { 'OK', what is known of the closed period (JSON) }
local function main(KEYS, ARGV)
  local definition, log, closed = KEYS[1], KEYS[2], KEYS[3]
  local boardText, key, now = ARGV[1], ARGV[2], ARGV[3]
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  local known = call('HGET', closed, key)
  if known then return { 'OK', known } end
  if board.backfill then return { 'HELD' } end
  local period = periodOf(KEYS, 4)
  local number = call('HGET', period.meta, 'version')
  local record = { closedAt = tonumber(now), version = tonumber(number or 0), epoch = board.epoch }
  record.entryCount = call('ZCARD', period.ranking)
  if number then
    call('HSET', period.meta, 'state', 'CLOSED', 'epoch', board.epoch, 'rankMethod', board.rankMethod)
    -- Its dense ranks stay, also where the board keeps none later.
    if board.denseReady then call('HSET', period.meta, 'dense', '1') end
  else
    -- Nothing was ever written: nothing is to be archived, and nothing will be.
    record.expiresAt, record.archived = record.closedAt, false
  end
  local text = cjson.encode(record)
  call('HSET', closed, key, text)
  local told = {}
  tell(told, { id = '', member = '', at = now, closed = key }, {})
  announce(log, told)
  return { 'OK', text }
end
