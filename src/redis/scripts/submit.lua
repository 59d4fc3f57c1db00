--- Applies submissions to one board in one step, each to all its periods or to none (rules S1–S5, T2).
-- KEYS: 1 definition, 2 log, 3 periods, 4 blocks, 5 open, 6 closed; then the keys of each period; then the
--       idempotency keys
-- ARGV: 1 incarnation, 2 version, 3 run id, 4 channel, 5 request (JSON): now, logLength, idempotencyTtlMs, rules,
--       periods [key, cadence, startsAt, endsAt, closesAt], submissions [id, member, score, policy, at, sortKey,
--       metadata, periods, key, fingerprint], block { from, to, rows, positions, refused }
-- Returns: { 'STALE' } | { 'BLOCK', what was applied there } | { 'OK', results (JSON) }
local definition, log, registry, blocks = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local opened, closed = KEYS[5], KEYS[6]
local incarnation, version, runId, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local request = cjson.decode(ARGV[5])
local rules, logLength = request.rules, request.logLength
local descending, backfill, tieBreak = rules.descending, rules.backfill, rules.tieBreak
local denseRanks, denseReady = rules.denseRanks, rules.denseReady

--- @include fence
--- @include order
--- @include keys
--- @include period
--- @include tie
--- @include distinct
--- @include announce
--- @include policy
--- @include write

local epoch = fenced(incarnation, version, runId)
if not epoch then return { 'STALE' } end
if request.block then
  local applied = redis.call('HGET', blocks, request.block.from)
  if applied then return { 'BLOCK', applied } end
end
for i, period in ipairs(request.periods) do
  for name, key in pairs(periodOf(7 + keysPerPeriod * (i - 1))) do period[name] = key end
end
local firstIdempotencyKey = 6 + keysPerPeriod * #request.periods

local function submit(submission)
  local plans, result = { numbers = {} }, { id = submission.id, applied = false, changes = {}, skipped = {} }
  for i, number in ipairs(submission.periods) do
    plans[i] = plan(request.periods[number], submission)
    if plans[i].fatal then return { refused = plans[i].refused } end
  end
  local applied = {}
  for i, number in ipairs(submission.periods) do
    local period = request.periods[number]
    if plans[i].refused then
      table.insert(result.skipped, { period = period.key, cadence = period.cadence, code = plans[i].refused })
    else
      local done, out = change(period, submission, plans[i])
      table.insert(result.changes, done)
      table.insert(plans.numbers, number)
      if done.outcome == 'APPLIED' then table.insert(applied, done) end
      if out and done.outcome == 'APPLIED' then table.insert(applied, out) end
    end
  end
  result.applied = #applied > 0
  if result.applied then
    announce({ epoch = epoch, id = submission.id, member = submission.member, at = submission.at, changes = applied })
  end
  -- Not part of the message: it can be large.
  for i, done in ipairs(result.changes) do
    local period = request.periods[plans.numbers[i]]
    if done.entry and period.hasMetadata then
      done.entry.metadata = redis.call('HGET', period.metadata, submission.member) or nil
    end
  end
  return result
end

-- A retry gets the first result; the same key with other arguments is refused (rule S5).
local function submitOnce(submission)
  if not submission.key then return submit(submission) end
  local key = KEYS[firstIdempotencyKey + submission.key]
  local stored = redis.call('GET', key)
  local first = stored and cjson.decode(stored)
  if first and first.incarnation == incarnation then
    if first.fingerprint ~= submission.fingerprint then return { refused = 'IDEMPOTENCY_CONFLICT' } end
    first.result.duplicate = true
    return first.result
  end
  local result = submit(submission)
  if not result.refused and #result.changes > 0 then
    local record = { incarnation = incarnation, fingerprint = submission.fingerprint, result = result }
    redis.call('SET', key, cjson.encode(record), 'PX', request.idempotencyTtlMs)
  end
  return result
end

local results, block = {}, request.block
for i, submission in ipairs(request.submissions) do
  results[i] = submitOnce(submission)
  if block and results[i].refused then table.insert(block.refused, { block.positions[i], results[i].refused }) end
end
if block then
  local record = { to = block.to, rows = block.rows, refused = block.refused }
  redis.call('HSET', blocks, block.from, cjson.encode(record))
end
return { 'OK', cjson.encode(results) }
