--- Copies a period as it is into a closed one with a time to live, for strict paging, reports and audits (rule P3).
-- KEYS: 1 definition, 2 kept; then the keys of the period; then those of the copy
-- ARGV: 1 board (JSON), 2 most entries, 3 TTL (ms), 4 version that the copy is named after, 5 now (ms), 6 the copy's key
-- Returns: 'STALE' | { 'LARGE', entries } | { 'MOVED', version now } | { 'OK' }
local function main(KEYS, ARGV)
  local definition, kept = KEYS[1], KEYS[2]
  local boardText, mostEntries, ttlMs, expected = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  local now, copy = tonumber(ARGV[5]), ARGV[6]
  if not enter(definition, boardText) then return 'STALE' end
  local from, to = periodOf(KEYS, 3), periodOf(KEYS, 3 + keysPerPeriod)
  local total = redis.call('ZCARD', from.ranking)
  if total > tonumber(mostEntries) then return { 'LARGE', total } end
  local number = redis.call('HGET', from.meta, 'version') or '0'
  if number ~= expected then return { 'MOVED', number } end
  -- Who asked before for the same copy was promised another time.
  ttlMs = math.max(tonumber(ttlMs), redis.call('PTTL', to.meta))
  for name, key in pairs(from) do redis.call('COPY', key, to[name], 'REPLACE') end
  if not board.denseReady then redis.call('UNLINK', to.distinct) end
  local expiresAt = now + ttlMs
  local record = { closedAt = now, version = tonumber(number), epoch = epoch, entryCount = total, expiresAt = expiresAt }
  redis.call('HSET', to.meta, 'state', 'CLOSED', 'epoch', epoch, 'version', number, 'closed', cjson.encode(record))
  redis.call('HSET', to.meta, 'dense', board.denseReady and '1' or '0')
  -- A closed one has that of its time.
  redis.call('HSETNX', to.meta, 'rankMethod', board.rankMethod)
  for _, key in pairs(to) do redis.call('PEXPIRE', key, ttlMs) end
  redis.call('ZADD', kept, expiresAt, copy)
  return { 'OK' }
end
