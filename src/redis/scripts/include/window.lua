--- Runs of entries in board order (rules R4, R5, P1, P6).
-- Needs: order, period, distinct, seek. Defines: page, around, entry, list.
-- Each returns runs { start, better, through, members and scores, dense rank of the first (0 where none is kept),
-- metadata }, where better counts the entries strictly better than the first one's score, and through those at least
-- as good as the last one's: with them every rank and tie count in the run follows from where scores change.
local function run(period, start, stop)
  if start >= stop then return { start, 0, 0, {}, 0, {} } end
  local entries = slice(period.ranking, start, stop - 1)
  local first, last = entries[2], entries[#entries]
  local metadata = {}
  if redis.call('EXISTS', period.metadata) == 1 then
    local members = {}
    for i = 1, #entries, 2 do table.insert(members, memberOf(entries[i])) end
    metadata = redis.call('HMGET', period.metadata, unpack(members))
  end
  local better, through = betterThan(period.ranking, first), atLeast(period.ranking, last)
  return { start, better, through, entries, denseRank(period, first) or 0, metadata }
end

-- The indexes, low included and high not, of a window: a range of scores (best, worst), a rank, or the whole period.
local function window(period, read)
  if read.method == 'DENSE' then
    local score = slice(period.distinct, read.rank - 1, read.rank - 1)[2]
    if not score then return 0, 0 end
    return betterThan(period.ranking, score), atLeast(period.ranking, score)
  elseif read.rank then
    local score = slice(period.ranking, read.rank - 1, read.rank - 1)[2]
    if not score then return 0, 0 end
    if read.method == 'ORDINAL' then return read.rank - 1, read.rank end
    if betterThan(period.ranking, score) ~= read.rank - 1 then return 0, 0 end
    return read.rank - 1, atLeast(period.ranking, score)
  end
  local low = read.best and betterThan(period.ranking, read.best) or 0
  local high = read.worst and atLeast(period.ranking, read.worst) or period.total
  return low, math.max(low, high)
end

-- The run of a page, with: low, high (its window), after, before (where the cursors' places are now; −1 without).
local function pageOf(period, start, stop, low, high, after, before)
  local reply = run(period, start, stop)
  for _, index in ipairs({ low, high, after, before }) do table.insert(reply, index) end
  return reply
end

-- A window, then what the cursors leave of it, then offset, then the first or last so many.
local function page(period, read)
  local low, high = window(period, read)
  local start, stop, after, before = low, high, -1, -1
  if read.after then
    local _, past = seek(period.ranking, read.after.score, read.after.member)
    after, start = past, math.max(start, past)
  end
  if read.before then
    before = seek(period.ranking, read.before.score, read.before.member)
    stop = math.min(stop, before)
  end
  start = start + read.offset
  if read.first then stop = math.min(stop, start + read.first) end
  if read.last then start = math.max(start, stop - read.last) end
  start, stop = math.min(start, high), math.max(stop, low)
  return pageOf(period, start, math.max(stop, start), low, high, after, before)
end

-- The entries from so many above a place to so many below it; with fill, moved to stay full at both ends.
-- The place is a member's, or that of a score nobody need have: then nothing stands in the middle.
local function around(period, read)
  local index, size = nil, read.above + read.below
  if read.member then
    local ordered = orderedOf(period, read.member)
    index, size = ordered and indexOf(period.ranking, ordered), size + 1
  else
    index = betterThan(period.ranking, read.score)
  end
  if not index then return false end
  local start = index - read.above
  if read.fill then start = math.max(0, math.min(start, period.total - size)) end
  local stop = math.min(start + size, period.total)
  start = math.min(math.max(start, 0), period.total)
  return pageOf(period, start, math.max(stop, start), 0, period.total, -1, -1)
end

local function entry(period, read)
  local ordered = orderedOf(period, read.member)
  local index = ordered and indexOf(period.ranking, ordered)
  if not index then return false end
  return run(period, index, index + 1)
end

-- The entries of these members, in the order asked; false for one who is not ranked.
local function list(period, read)
  local runs = {}
  for i, member in ipairs(read.members) do runs[i] = entry(period, { member = member }) end
  return runs
end
