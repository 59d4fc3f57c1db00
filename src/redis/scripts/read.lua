--- Reads one board at one moment (rules R1–R5, P1–P5). Writes nothing.
-- KEYS: 1 definition, 2 closed; then the keys of each period; then hashes to read whole
-- ARGV: 1 board (JSON), 2 request (JSON): periods [key], reads [kind, period or number of the hash in KEYS, …]; then the
--       members and scores that reads name by their place in ARGV. So the same question is the same request each time.
-- Returns: 'STALE' | lines. First those of each period: epoch, version (empty: Redis does not hold it), entries, rank
--          method once it is closed, what is known of it if it closed (JSON). Then those of each read: see include/. Those of a
--          hash: how many, which are fields and values in turn.

-- A closed period keeps the epoch it closed in, since no lost write can change it any more, and the method it was
-- ranked by. A copy has a record of its own, and keeps the index that its period had.
local function sayHead(period, closed, key)
  local version, state, metadata = unpack(redis.call('HMGET', period.meta, 'version', 'state', 'metadata'))
  period.total, period.hasMetadata = redis.call('ZCARD', period.ranking), metadata == '1'
  local periodEpoch, rankMethod, record = epoch, '', nil
  if state then
    local kept = redis.call('HMGET', period.meta, 'epoch', 'rankMethod', 'closed', 'dense')
    period.rankMethod, period.dense = kept[2], kept[4]
    periodEpoch, rankMethod, record = kept[1] or epoch, kept[2] or '', kept[3]
  end
  if state or not version then record = record or redis.call('HGET', closed, key) end
  say(periodEpoch)
  say(version or '')
  say(('%d'):format(period.total))
  say(rankMethod)
  say(record or '')
end

local kinds = { page = page, entry = entry, around = around, list = list, position = position, histogram = histogram }
function kinds.head() end

function kinds.hash(hash)
  local held = redis.call('HGETALL', hash)
  say(#held)
  sayAll(held, 1, #held)
end

local function main(KEYS, ARGV)
  local definition, closed = KEYS[1], KEYS[2]
  local boardText, request = ARGV[1], decoded(ARGV[2])
  if not enter(definition, boardText) then return 'STALE' end
  begin()
  local periods = {}
  for i, key in ipairs(request.periods) do
    periods[i] = periodOf(KEYS, 3 + keysPerPeriod * (i - 1))
    sayHead(periods[i], closed, key)
  end
  for _, read in ipairs(request.reads) do
    kinds[read.kind](periods[read.period] or KEYS[read.hash], read, ARGV)
  end
  return said()
end
