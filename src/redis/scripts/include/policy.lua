--- What a submission would do to one period, without writing (rules S1–S3, R3, T2).
-- Needs: board, period, tie. Defines: plan(step, period, submission).

-- Whether the entry stays where it is: not better, equal, plus nothing, and no other tie-break.
local function stays(submission, policy, old, prefix, new)
  if submission.sortKey and submission.sortKey ~= prefix then return false end
  local same = new == tonumber(old)
  if not same then return policy == 'BEST' and (new > tonumber(old)) ~= board.descending end
  local earlier = board.tieBreak == 'EARLIEST' and policy == 'BEST' and submission.score
    and tonumber(submission.at) < reachedAt(prefix)
  return not earlier
end

-- What is read of a period once for all submissions of a step: nobody else writes meanwhile.
local function look(step, period)
  local state, version, metadata = unpack(call('HMGET', period.meta, 'state', 'version', 'metadata'))
  period.isNew, period.version, period.hasMetadata = not version, tonumber(version or 0), metadata == '1'
  period.total = call('ZCARD', period.ranking)
  -- That it closed is remembered after its data is gone.
  period.isClosed = state == 'CLOSED' or (not version and call('HEXISTS', step.closed, period.key) == 1)
end

-- Returns a plan { old, ordered, prefix, new, replaces, reached } (new is nil where nothing changes), or { refused, fatal }.
local function plan(step, period, submission)
  if not period.version then look(step, period) end
  if period.isClosed then return { refused = 'PERIOD_CLOSED' } end
  if period.closesAt and step.now >= period.closesAt and not board.backfill then return { refused = 'PERIOD_CLOSED' } end
  local ordered, prefix = orderedOf(period, submission.member)
  local old = ordered and call('ZSCORE', period.ranking, ordered)
  if not old then ordered, prefix = nil, nil end
  if not old and not submission.score then return { refused = 'NOT_RANKED' } end
  local policy = submission.policy or board.scorePolicy
  local new = tonumber(submission.score or old)
  if old and submission.score and policy == 'SUM' then new = new + tonumber(old) end
  local outside = submission.score and (new < board.lowest or new > board.highest)
  if outside then return { refused = 'SCORE_OUT_OF_RANGE', fatal = true } end
  local planned = { old = old or nil, ordered = ordered, prefix = prefix }
  if isTimed() then planned.reached = tonumber(submission.at) end
  if old and stays(submission, policy, old, prefix, new) then return planned end
  -- A worse score with another sort key moves the entry by its key alone.
  local worse = old and policy == 'BEST' and new ~= tonumber(old) and (new > tonumber(old)) ~= board.descending
  planned.new = worse and old or string.format('%.0f', new)
  planned.replaces = submission.score ~= nil and not worse
  if old and policy == 'SUM' and isTimed() then planned.reached = math.max(planned.reached, reachedAt(prefix)) end
  return planned
end
