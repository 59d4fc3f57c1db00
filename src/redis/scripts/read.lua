--- Reads one board at one moment (rules R1–R5, P1–P5). Writes nothing.
-- KEYS: 1 definition, 2 closed; then the keys of each period; then hashes to read whole
-- ARGV: 1 request (JSON): board (its fence and rules), number of periods, reads [kind, period or number of the hash in KEYS, …];
--       then the members, scores, ranks and offsets that reads name by their place in ARGV. So the same kind of question is
--       the same request each time.
-- Returns: 'STALE' | lines. First those of each period, then those of each read: see include/. Those of a hash: how many,
--          which are fields and values in turn.

-- Version and entries. Where Redis does not hold the period, or holds it for good: *, version (empty: not held), entries,
-- epoch it closed in and rank method once it is closed, what is known of it if it closed (JSON).
-- A closed period keeps the epoch it closed in, since no lost write can change it any more, and the method it was
-- ranked by. A copy has a record of its own, and keeps the index that its period had.
local function headText(period, closed)
  local found = call('HMGET', period.meta, 'version', 'state', 'metadata')
  local version, state, total = found[1], found[2], call('ZCARD', period.ranking)
  period.total, period.hasMetadata = total, found[3] == '1'
  if version and not state then return ('%s\n%d'):format(version, total) end
  local kept = call('HMGET', period.meta, 'epoch', 'rankMethod', 'closed', 'dense')
  period.rankMethod, period.dense = kept[2], kept[4]
  local lines = { '*', version or '', total, kept[1] or '', kept[2] or '', kept[3] or call('HGET', closed, keyOf(period)) or '' }
  return table.concat(lines, '\n')
end

-- Each adds its lines, which are put together in one go: every text that Lua makes is hashed.
local kinds = { page = page, around = around, entry = entry, list = list, position = position, histogram = histogram }
function kinds.head() end

function kinds.hash(lines, hash)
  local held = call('HGETALL', hash)
  lines[#lines + 1] = #held
  if #held > 0 then lines[#lines + 1] = table.concat(held, '\n') end
end

local function main(KEYS, ARGV)
  local definition, closed = KEYS[1], KEYS[2]
  local request = decoded(ARGV[1])
  if not enter(definition, request.board) then return 'STALE' end
  -- With room for what most reads need: a table that grows is made anew.
  local reads, periods, lines = request.reads, { nil }, { nil, nil, nil, nil }
  for i = 1, request.periods do
    local period = periodOf(KEYS, 3 + keysPerPeriod * (i - 1))
    periods[i], lines[i] = period, headText(period, closed)
  end
  for i = 1, #reads do
    local read = reads[i]
    kinds[read.kind](lines, periods[read.period] or KEYS[read.hash], read, ARGV)
  end
  return table.concat(lines, '\n')
end
