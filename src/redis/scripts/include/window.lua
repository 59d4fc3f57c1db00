--- What is read of a period's entries (rules P1, P6, R5).
-- Needs: board, order, period, distinct, seek, reply, run. Defines: page, around, entry, list. Each takes a period, a read
-- and values: members and scores are named by their place there.

-- The indexes, low included and high not, of a window: a range of scores (best, worst), a rank, or the whole period.
local function window(period, read, values)
  local method = period.rankMethod or board.rankMethod
  if read.rank and method == 'DENSE' then
    local score = slice(period.distinct, read.rank - 1, read.rank - 1)[2]
    if not score then return 0, 0 end
    return betterThan(period.ranking, score), atLeast(period.ranking, score)
  elseif read.rank then
    local score = slice(period.ranking, read.rank - 1, read.rank - 1)[2]
    if not score then return 0, 0 end
    if method == 'ORDINAL' then return read.rank - 1, read.rank end
    if betterThan(period.ranking, score) ~= read.rank - 1 then return 0, 0 end
    return read.rank - 1, atLeast(period.ranking, score)
  end
  local low = read.best and betterThan(period.ranking, values[read.best]) or 0
  local high = read.worst and atLeast(period.ranking, values[read.worst]) or period.total
  return low, math.max(low, high)
end

-- A page's own numbers stand before its run: the window it is cut from, entries at or before the cursor after, and
-- before the cursor before.
local function sayPage(period, start, stop, low, high, after, before)
  say(low == 0 and '' or low)
  say(high == period.total and '' or high)
  say(after)
  say(before)
  sayRun(period, start, math.max(stop, start))
end

-- A window, then what the cursors leave of it, then offset, then the first or last so many.
local function page(period, read, values)
  local low, high = window(period, read, values)
  local start, stop, after, before = low, high, '', ''
  if read.after then
    local _, past = seek(period.ranking, values[read.after.score], values[read.after.member])
    after, start = past, math.max(start, past)
  end
  if read.before then
    before = seek(period.ranking, values[read.before.score], values[read.before.member])
    stop = math.min(stop, before)
  end
  start = start + read.offset
  if read.first then stop = math.min(stop, start + read.first) end
  if read.last then start = math.max(start, stop - read.last) end
  start, stop = math.min(start, high), math.max(stop, low)
  sayPage(period, start, stop, low, high, after, before)
end

-- The entries from so many above a place to so many below it; with fill, moved to stay full at both ends.
-- The place is a member's, or that of a score nobody need have: then nothing stands in the middle. 1 and a page, or an
-- empty line for a member who is not ranked.
local function around(period, read, values)
  local index, size = nil, read.above + read.below
  if read.member then
    local ordered = orderedOf(period, values[read.member])
    index, size = ordered and indexOf(period.ranking, ordered), size + 1
  else
    index = betterThan(period.ranking, values[read.score])
  end
  if not index then return say('') end
  local start = index - read.above
  if read.fill then start = math.max(0, math.min(start, period.total - size)) end
  local stop = math.min(start + size, period.total)
  start = math.min(math.max(start, 0), period.total)
  say('1')
  sayPage(period, start, stop, 0, period.total, '', '')
end

-- A run of one, or of none. Found by its score: that is half of the work of finding it with the entries beside it.
local function sayEntry(period, member)
  local ordered = orderedOf(period, member)
  local score = ordered and redis.call('ZSCORE', period.ranking, ordered)
  if not score then return sayRun(period, 0, 0) end
  local index, better, ties = placeOf(period.ranking, ordered, score)
  say(ties == 1 and ('1\n%d\n\n'):format(index) or ('1\n%d\n%d\n%d'):format(index, better, better + ties))
  say(denseRank(period, score) or '')
  say(period.hasMetadata and '1' or '')
  say(ordered)
  say(score)
  if period.hasMetadata then say(redis.call('HGET', period.metadata, member) or '-') end
end

local function entry(period, read, values)
  sayEntry(period, values[read.member])
end

-- The entries of these members, in the order asked.
local function list(period, read, values)
  for _, member in ipairs(read.members) do sayEntry(period, values[member]) end
end
