--- Applies submissions to one board in one step, each to all its periods or to none (rules S1–S5, T2).
-- KEYS: 1 definition, 2 log, 3 periods, 4 blocks, 5 open, 6 closed; then the keys of each period; then the
--       idempotency keys
-- ARGV: 1 board (JSON), 2 now, 3 block (JSON, or empty): from, to, rows, positions, refused, 4 number of periods; then
--       each period (JSON): key, cadence, startsAt, endsAt, closesAt; then the texts of each submission: see
--       include/submission.lua
-- Returns: 'STALE' | { 'BLOCK', what was applied there } | { 'OK', of each (JSON) its changes (include/change.lua), what
--          was skipped, and the first one's id if it is a retry; or a code }

-- A change with its entry's metadata, for who made it. Not for the message: it can be large.
local function withMetadata(period, submission, text)
  local metadata = period.hasMetadata and call('HGET', period.metadata, submission.member)
  return metadata and text:sub(1, -3) .. ',' .. cjson.encode(metadata) .. ']]' or text
end

-- Returns the result (JSON, not closed: changes, skipped) and whether there is anything to remember, or nil and the code it
-- was refused with.
local function submit(step, submission)
  local plans = {}
  for i, number in ipairs(submission.periods) do
    plans[i] = plan(step, step.periods[number], submission)
    if plans[i].fatal then return nil, plans[i].refused end
  end
  local changes, applied, skipped = {}, {}, {}
  for i, number in ipairs(submission.periods) do
    local period = step.periods[number]
    if plans[i].refused then
      local skip = { period = period.key, cadence = period.cadence, code = plans[i].refused }
      skipped[#skipped + 1] = cjson.encode(skip)
    else
      local outcome, done, evicted = change(step, period, submission, plans[i])
      if outcome == 'APPLIED' then applied[#applied + 1] = done end
      if evicted then applied[#applied + 1] = evicted end
      changes[#changes + 1] = outcome == 'BELOW_CUT' and done or withMetadata(period, submission, done)
    end
  end
  if #applied > 0 then tell(step.told, submission, applied) end
  return '[[' .. table.concat(changes, ',') .. '],[' .. table.concat(skipped, ',') .. ']', #changes > 0
end

-- A retry gets the first result, and its id; the same key with other arguments is refused (rule S5).
local function submitOnce(step, submission)
  if not submission.key then return submit(step, submission) end
  local key = step.idempotencyKeys[submission.key]
  local stored = call('GET', key)
  local first = stored and cjson.decode(stored)
  if first and first.incarnation == board.incarnation then
    if first.fingerprint ~= submission.fingerprint then return nil, 'IDEMPOTENCY_CONFLICT' end
    return first.result .. ',"' .. first.id .. '"'
  end
  local result, lasting = submit(step, submission)
  if result and lasting then
    local record = { incarnation = board.incarnation, fingerprint = submission.fingerprint }
    record.id, record.result = submission.id, result
    call('SET', key, cjson.encode(record), 'PX', board.idempotencyTtlMs)
  end
  return result, lasting
end

local function main(KEYS, ARGV)
  local definition, log, registry, blocks = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local opened, closed = KEYS[5], KEYS[6]
  local boardText, now, block, periodCount = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
  if not enter(definition, decoded(boardText)) then return 'STALE' end
  block = block ~= '' and cjson.decode(block)
  if block then
    local applied = call('HGET', blocks, block.from)
    if applied then return { 'BLOCK', applied } end
  end
  local step = { now = now, registry = registry, opened = opened, closed = closed }
  step.periods, step.told = {}, {}
  for i = 1, periodCount do
    local period = periodOf(KEYS, 7 + keysPerPeriod * (i - 1))
    for name, value in pairs(decoded(ARGV[4 + i])) do period[name] = value end
    step.periods[i] = period
  end
  step.idempotencyKeys = { unpack(KEYS, 7 + keysPerPeriod * #step.periods) }
  local said = { '[' }
  local whole, problem = pcall(function()
    local count = 0
    for first = 5 + periodCount, #ARGV, textsPerSubmission do
      local result, code = submitOnce(step, submissionOf(ARGV, first))
      count = count + 1
      if count > 1 then said[#said + 1] = ',' end
      said[#said + 1] = result or '"' .. code .. '"'
      if result then said[#said + 1] = ']' end
      if block and not result then table.insert(block.refused, { block.positions[count], code }) end
    end
  end)
  -- Also after an error: what was written before it stays written, so it is numbered and told.
  for _, period in ipairs(step.periods) do keep(step, period) end
  announce(log, step.told)
  if not whole then error(problem) end
  if block then
    local record = { to = block.to, rows = block.rows, refused = block.refused }
    call('HSET', blocks, block.from, cjson.encode(record))
  end
  said[#said + 1] = ']'
  return { 'OK', table.concat(said) }
end
