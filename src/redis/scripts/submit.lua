--- Applies submissions to one board in one step, each to all its periods or to none (rules S1–S5, T2).
-- KEYS: 1 definition, 2 log, 3 periods, 4 blocks, 5 open, 6 closed; then the keys of each period; then the
--       idempotency keys
-- ARGV: 1 board (JSON), 2 request (JSON): now, submissions [id, member, score, policy, at, sortKey, metadata, periods,
--       key, fingerprint], block { from, to, rows, positions, refused }; then each period (JSON): key, cadence,
--       startsAt, endsAt, closesAt
-- Returns: 'STALE' | { 'BLOCK', what was applied there } | { 'OK', results (JSON) }

-- Shows metadata to who made the change. Not part of the message: it can be large.
local function annotate(period, submission, done)
  if not done.entry or not period.hasMetadata then return false end
  done.entry.metadata = redis.call('HGET', period.metadata, submission.member) or nil
  return done.entry.metadata ~= nil
end

-- Returns the result (JSON in pieces) and whether there is anything to remember, or nil and the code it was refused with.
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
      table.insert(skipped, cjson.encode({ period = period.key, cadence = period.cadence, code = plans[i].refused }))
    else
      local done, out = change(step, period, submission, plans[i])
      local text = cjson.encode(done)
      if done.outcome == 'APPLIED' then
        table.insert(applied, text)
        if out then table.insert(applied, cjson.encode(out)) end
      end
      table.insert(changes, annotate(period, submission, done) and cjson.encode(done) or text)
    end
  end
  if #applied > 0 then tell(step.told, submission, applied) end
  local isApplied = #applied > 0 and 'true' or 'false'
  local result = { '{"id":"' .. submission.id .. '","applied":' .. isApplied .. ',"changes":[' }
  addList(result, changes)
  table.insert(result, '],"skipped":[')
  addList(result, skipped)
  table.insert(result, ']}')
  return result, #changes > 0
end

-- A retry gets the first result; the same key with other arguments is refused (rule S5).
local function submitOnce(step, submission)
  if not submission.key then return submit(step, submission) end
  local key = step.idempotencyKeys[submission.key]
  local stored = redis.call('GET', key)
  local first = stored and cjson.decode(stored)
  if first and first.incarnation == board.incarnation then
    if first.fingerprint ~= submission.fingerprint then return nil, 'IDEMPOTENCY_CONFLICT' end
    return { first.result:sub(1, -2), ',"duplicate":true}' }
  end
  local result, lasting = submit(step, submission)
  if result and lasting then
    local record = { incarnation = board.incarnation, fingerprint = submission.fingerprint }
    record.result = table.concat(result)
    redis.call('SET', key, cjson.encode(record), 'PX', board.idempotencyTtlMs)
  end
  return result, lasting
end

local function main(KEYS, ARGV)
  local definition, log, registry, blocks = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local opened, closed = KEYS[5], KEYS[6]
  local boardText, request = ARGV[1], cjson.decode(ARGV[2])
  if not enter(definition, boardText) then return 'STALE' end
  local block = request.block
  if block then
    local applied = redis.call('HGET', blocks, block.from)
    if applied then return { 'BLOCK', applied } end
  end
  local step = { now = request.now, registry = registry, opened = opened, closed = closed }
  step.periods, step.told = {}, {}
  for i = 3, #ARGV do
    local period = periodOf(KEYS, 7 + keysPerPeriod * (i - 3))
    for name, value in pairs(decoded(ARGV[i])) do period[name] = value end
    table.insert(step.periods, period)
  end
  step.idempotencyKeys = { unpack(KEYS, 7 + keysPerPeriod * #step.periods) }
  begin()
  say('[')
  local whole, problem = pcall(function()
    for i, submission in ipairs(request.submissions) do
      local result, code = submitOnce(step, submission)
      if i > 1 then say(',') end
      if result then sayAll(result, 1, #result) else say('{"refused":"' .. code .. '"}') end
      if block and not result then table.insert(block.refused, { block.positions[i], code }) end
    end
  end)
  -- Also after an error: what was written before it stays written, so it is numbered and told.
  for _, period in ipairs(step.periods) do keep(step, period) end
  announce(log, step.told)
  if not whole then error(problem) end
  if block then
    local record = { to = block.to, rows = block.rows, refused = block.refused }
    redis.call('HSET', blocks, block.from, cjson.encode(record))
  end
  say(']')
  return { 'OK', said() }
end
