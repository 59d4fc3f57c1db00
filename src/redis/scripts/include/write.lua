--- Writing one period's part of a submission, as planned (rules S3, S4, R2–R4).
-- Needs: board, period, tie, order, distinct, change. Defines: change(step, period, submission, planned), which returns
-- an outcome, what was done, and what fell out of a capped board; keep(step, period), which notes the period's version after
-- a step.

local function bump(period)
  period.version, period.isChanged = period.version + 1, true
  return period.version
end

local function keep(step, period)
  if not period.isChanged then return end
  call('HSET', period.meta, 'version', period.version)
  if period.isNew then
    call('HSET', period.meta, 'startsAt', period.startsAt or '', 'endsAt', period.endsAt or '')
    call('HSET', step.registry, period.key, period.cadence)
    if period.endsAt then call('SADD', step.opened, period.key) end
  end
end

local function forget(period, ordered)
  call('ZREM', period.ranking, ordered)
  period.total = period.total - 1
  if board.tieBreak ~= 'MEMBER_ID' then call('HDEL', period.tie, memberOf(ordered)) end
  if period.hasMetadata then call('HDEL', period.metadata, memberOf(ordered)) end
end

-- A capped board keeps its best: takes out the last entry.
local function evict(period)
  local last = slice(period.ranking, board.maxEntries, board.maxEntries)
  local ordered, score = last[1], last[2]
  if not ordered then return nil end
  local place, member = placeBefore(period, ordered, score), memberOf(ordered)
  forget(period, ordered)
  return { ordered = ordered, member = member, before = beforeText(place, ordered, member, dropScore(period, score)) }
end

-- Keeps what a write says of its entry beside the score; returns whether readers have to ask for it, since no message
-- carries it.
local function annotate(period, submission, planned)
  if planned.replaces and submission.metadata then
    call('HSET', period.metadata, submission.member, submission.metadata)
    -- Noted once, so that periods without any are not asked for it.
    if not period.hasMetadata then call('HSET', period.meta, 'metadata', '1') end
    period.hasMetadata = true
  elseif period.hasMetadata and planned.replaces and planned.old then
    call('HDEL', period.metadata, submission.member)
  end
  return period.hasMetadata and (submission.metadata ~= nil or not planned.replaces)
end

local function change(step, period, submission, planned)
  local member, old = submission.member, planned.old
  local late = period.endsAt and step.now >= period.endsAt and '1' or '0'
  local place = old and placeBefore(period, planned.ordered, old)
  if not planned.new then
    local before, entry = beforeText(place, planned.ordered, member), entryText(period, planned.ordered, old, member)
    return 'UNCHANGED', changeText(period.key, 'UNCHANGED', period.version, late, '0', before, entry)
  end
  local prefix = submission.sortKey or planned.prefix or board.emptyPrefix
  if isTimed() then prefix = timePrefix(planned.reached, period.version + 1) end
  local ordered = prefix .. member
  if old and planned.ordered ~= ordered then call('ZREM', period.ranking, planned.ordered) end
  call('ZADD', period.ranking, planned.new, ordered)
  if not old then period.total = period.total + 1 end
  holdScore(period, planned.new)
  local out = board.maxEntries and evict(period)
  -- Nobody who was ranked falls out: only one more than there may be does.
  if out and out.ordered == ordered then
    return 'BELOW_CUT', changeText(period.key, 'BELOW_CUT', period.version, late, '0', '0', '0')
  end
  if prefix ~= '' then call('HSET', period.tie, member, prefix) end
  local before = old and beforeText(place, planned.ordered, member, dropScore(period, old)) or '0'
  local annotated = annotate(period, submission, planned) and '1' or '0'
  local entry = entryText(period, ordered, planned.new, member)
  local applied = changeText(period.key, 'APPLIED', bump(period), late, annotated, before, entry)
  if not out then return 'APPLIED', applied end
  -- Whose it was stands in the place of the entry that there is no more.
  return 'APPLIED', applied, changeText(period.key, 'EVICTED', bump(period), '0', '0', out.before, cjson.encode(out.member))
end
