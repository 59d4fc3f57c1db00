--- Ends the closing of a period: notes what became of it and until when Redis keeps it (rules T3, T4).
-- KEYS: 1 definition, 2 open, 3 closed, 4 kept; then the keys of the period
-- ARGV: 1 board (JSON), 2 period, 3 what is known of it (JSON), 4 time it may go (ms), 5 TTL (ms)
-- Returns: 'STALE' | { 'OK' }
local function main(KEYS, ARGV)
  local definition, opened, closed, kept = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local boardText, key, record, expiresAt, ttlMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  -- A closer that was overtaken does not undo what came after it: a correction has a higher revision.
  local known = call('HGET', closed, key)
  if known and (cjson.decode(known).revision or 0) > (cjson.decode(record).revision or 0) then return { 'OK' } end
  call('HSET', closed, key, record)
  call('SREM', opened, key)
  call('ZADD', kept, expiresAt, key)
  -- All at one instant, so that no half of it is left; release.lua comes before where a process is up.
  for i = 5, #KEYS do call('PEXPIRE', KEYS[i], ttlMs) end
  return { 'OK' }
end
