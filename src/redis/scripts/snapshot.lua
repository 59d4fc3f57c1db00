--- Copies a period as it is into a closed one with a time to live, for strict paging, reports and audits (rule P3).
-- KEYS: 1 definition, 2 kept; then the keys of the period; then those of the copy
-- ARGV: 1 board (JSON), 2 most entries, 3 TTL (ms), 4 version that the copy is named after, 5 now (ms), 6 the copy's key
-- Returns: 'STALE' | { 'LARGE', entries } | { 'MOVED', version now } | { 'OK' }
local function main(KEYS, ARGV)
  local definition, kept = KEYS[1], KEYS[2]
  local boardText, mostEntries, ttlMs, expected = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  local now, copy = tonumber(ARGV[5]), ARGV[6]
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  local from, to = periodOf(KEYS, 3), periodOf(KEYS, 3 + keysPerPeriod)
  local total = call('ZCARD', from.ranking)
  if total > tonumber(mostEntries) then return { 'LARGE', total } end
  local number = call('HGET', from.meta, 'version') or '0'
  if number ~= expected then return { 'MOVED', number } end
  -- Who asked before for the same copy was promised another time.
  ttlMs = math.max(tonumber(ttlMs), call('PTTL', to.meta))
  for name, key in pairs(from) do call('COPY', key, to[name], 'REPLACE') end
  if not board.denseReady then call('UNLINK', to.distinct) end
  local expiresAt = now + ttlMs
  local record = { closedAt = now, version = tonumber(number), epoch = board.epoch, entryCount = total, expiresAt = expiresAt }
  call('HSET', to.meta, 'state', 'CLOSED', 'epoch', board.epoch, 'version', number, 'closed', cjson.encode(record))
  call('HSET', to.meta, 'dense', board.denseReady and '1' or '0')
  -- A closed one has that of its time.
  call('HSETNX', to.meta, 'rankMethod', board.rankMethod)
  for _, key in pairs(to) do call('PEXPIRE', key, ttlMs) end
  call('ZADD', kept, expiresAt, copy)
  return { 'OK' }
end
