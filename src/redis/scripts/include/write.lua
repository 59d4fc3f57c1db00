--- Writing one period's part of a submission, as planned (rules S3, S4, R2–R4).
-- Needs: board, period, tie, order, distinct. Defines: change(step, period, submission, planned), which returns what
-- was done and, on a capped board, what fell out; keep(step, period), which notes the period's version after a step.

local function bump(period)
  period.version, period.isChanged = period.version + 1, true
  return period.version
end

local function keep(step, period)
  if not period.isChanged then return end
  redis.call('HSET', period.meta, 'version', period.version)
  if period.isNew then
    redis.call('HSET', period.meta, 'startsAt', period.startsAt or '', 'endsAt', period.endsAt or '')
    redis.call('HSET', step.registry, period.key, period.cadence)
    if period.endsAt then redis.call('SADD', step.opened, period.key) end
  end
end

-- How an entry stands, with all that ranks it.
local function standing(period, ordered, score)
  local better, ties = betterThan(period.ranking, score), equalTo(period.ranking, score)
  local index = ties == 1 and better or indexOf(period.ranking, ordered)
  local entry = { score = score, ordered = ordered, index = index, rank = better + 1, ties = ties }
  entry.dense, entry.total = denseRank(period, score), period.total
  return entry
end

local function forget(period, ordered)
  redis.call('ZREM', period.ranking, ordered)
  period.total = period.total - 1
  if board.tieBreak ~= 'MEMBER_ID' then redis.call('HDEL', period.tie, memberOf(ordered)) end
  if period.hasMetadata then redis.call('HDEL', period.metadata, memberOf(ordered)) end
end

-- A capped board keeps its best: takes out the last entry and says whose it was.
local function evict(period)
  local last = slice(period.ranking, board.maxEntries, board.maxEntries)
  if not last[1] then return nil end
  local out = { period = period.key, outcome = 'EVICTED', member = memberOf(last[1]) }
  out.before = placeOf(period, last[1], last[2])
  forget(period, last[1])
  out.before.dropped = dropScore(period, last[2])
  return out
end

local function change(step, period, submission, planned)
  local done = { period = period.key, late = period.endsAt ~= nil and step.now >= period.endsAt }
  done.version = period.version
  if planned.old then done.before = placeOf(period, planned.ordered, planned.old) end
  if not planned.new then
    done.outcome, done.entry = 'UNCHANGED', standing(period, planned.ordered, planned.old)
    return done
  end
  local prefix = submission.sortKey or planned.prefix or board.emptyPrefix
  if isTimed() then prefix = timePrefix(planned.reached, period.version + 1) end
  local ordered = prefix .. submission.member
  if planned.ordered and planned.ordered ~= ordered then redis.call('ZREM', period.ranking, planned.ordered) end
  redis.call('ZADD', period.ranking, planned.new, ordered)
  if not planned.old then period.total = period.total + 1 end
  holdScore(period, planned.new)
  local out = board.maxEntries and evict(period)
  if out and out.before.ordered == ordered then
    done.outcome = 'BELOW_CUT'
    return done
  end
  if prefix ~= '' then redis.call('HSET', period.tie, submission.member, prefix) end
  if planned.old then done.before.dropped = dropScore(period, planned.old) end
  if planned.replaces and submission.metadata then
    redis.call('HSET', period.metadata, submission.member, submission.metadata)
    -- Noted once, so that periods without any are not asked for it.
    if not period.hasMetadata then redis.call('HSET', period.meta, 'metadata', '1') end
    period.hasMetadata = true
  elseif period.hasMetadata and planned.replaces and planned.old then
    redis.call('HDEL', period.metadata, submission.member)
  end
  -- Whether readers have to ask for its metadata, which no message carries.
  done.annotated = period.hasMetadata and (submission.metadata ~= nil or not planned.replaces) or nil
  done.outcome, done.version, done.entry = 'APPLIED', bump(period), standing(period, ordered, planned.new)
  if out then out.version = bump(period) end
  return done, out
end
