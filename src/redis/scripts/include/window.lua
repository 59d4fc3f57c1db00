--- What is read of a period's entries (rules P1, P6, R5).
-- Needs: board, order, period, distinct, seek, run. Defines: page, around, entry, list. Each takes a period, a read and
-- values, where members, scores, ranks and offsets are named by their place, and adds its lines. Compared by hand: math.min
-- costs ten times as much.

-- The indexes, low included and high not, of a window: a range of scores (best, worst), a rank, or the whole period.
local function window(period, read, values)
  if read.rank then
    local method, ranking, index = period.rankMethod or board.rankMethod, period.ranking, values[read.rank] - 1
    local score = slice(method == 'DENSE' and period.distinct or ranking, index, index)[2]
    if not score then return 0, 0 end
    if method == 'ORDINAL' then return index, index + 1 end
    local better = betterThan(ranking, score)
    if method ~= 'DENSE' and better ~= index then return 0, 0 end
    return better, atLeast(ranking, score)
  end
  local low = read.best and betterThan(period.ranking, values[read.best]) or 0
  local high = read.worst and atLeast(period.ranking, values[read.worst]) or period.total
  return low, low > high and low or high
end

-- A page's own lines stand before its run: the window it is cut from (empty where it is the whole period), entries at or
-- before the cursor after, and before the cursor before.
local function addPage(lines, period, start, stop, low, high, after, before)
  if low == 0 then low = '' end
  if high == period.total then high = '' end
  lines[#lines + 1] = low .. '\n' .. high .. '\n' .. after .. '\n' .. before
  addRun(lines, period, start, stop < start and start or stop)
end

-- A window, then what the cursors leave of it, then offset, then the first or last so many.
local function page(lines, period, read, values)
  local low, high = window(period, read, values)
  local start, stop, after, before = low, high, '', ''
  if read.after then
    local _, past = seek(period.ranking, values[read.after.score], values[read.after.member])
    after = past
    if past > start then start = past end
  end
  if read.before then
    before = seek(period.ranking, values[read.before.score], values[read.before.member])
    if before < stop then stop = before end
  end
  if read.offset then start = start + values[read.offset] end
  if read.first and start + read.first < stop then stop = start + read.first end
  if read.last and stop - read.last > start then start = stop - read.last end
  if start > high then start = high end
  if stop < low then stop = low end
  addPage(lines, period, start, stop, low, high, after, before)
end

-- The entries from so many above a place to so many below it; with fill, moved to stay full at both ends.
-- The place is a member's, or that of a score nobody need have: then nothing stands in the middle. A page, or - for a
-- member who is not ranked.
local function around(lines, period, read, values)
  local index, size, total = nil, read.above + read.below, period.total
  if read.member then
    local ordered = orderedOf(period, values[read.member])
    index, size = ordered and indexOf(period.ranking, ordered), size + 1
  else
    index = betterThan(period.ranking, values[read.score])
  end
  if not index then
    lines[#lines + 1] = '-'
    return
  end
  local start = index - read.above
  if read.fill and start > total - size then start = total - size end
  if read.fill and start < 0 then start = 0 end
  local stop = start + size
  if stop > total then stop = total end
  if start < 0 then start = 0 end
  addPage(lines, period, start, stop, 0, total, '', '')
end

-- A run of one, or of none. By its index and a count of its score: half of the work of finding it with those beside it.
local function addEntry(lines, period, member, ordered, score)
  local at = #lines + 1
  if not score then
    lines[at] = '0\n0\n\n\n\n'
    return
  end
  local index, better, ties = placeOf(period.ranking, ordered, score)
  local hasMetadata, hasDense = period.hasMetadata, board.denseReady or period.dense
  if ties == 1 and not hasDense and not hasMetadata then
    lines[at], lines[at + 1], lines[at + 2] = ('1\n%d\n\n\n\n'):format(index), ordered, score
    return
  end
  local counts = ('1\n%d\n%d\n%d\n'):format(index, better, better + ties) .. (hasDense and denseRank(period, score) or '')
  lines[at], lines[at + 1], lines[at + 2] = counts .. (hasMetadata and '\n1' or '\n'), ordered, score
  if hasMetadata then lines[at + 3] = call('HGET', period.metadata, member) or '-' end
end

local function entry(lines, period, read, values)
  local member = values[read.member]
  local ordered = member
  if board.tieBreak ~= 'MEMBER_ID' then ordered = orderedOf(period, member) end
  addEntry(lines, period, member, ordered, ordered and call('ZSCORE', period.ranking, ordered))
end

-- How the ranking holds each member: '', which is nobody, for one who is not ranked.
local function orderedOfAll(period, members)
  if board.tieBreak == 'MEMBER_ID' then return members end
  local prefixes, ordered = call('HMGET', period.tie, unpack(members)), {}
  for i = 1, #members do ordered[i] = prefixes[i] and prefixes[i] .. members[i] or '' end
  return ordered
end

-- The entries of these members, in the order asked.
local function list(lines, period, read, values)
  local asked, members = read.members, {}
  if #asked == 0 then return end
  for i = 1, #asked do members[i] = values[asked[i]] end
  local ordered = orderedOfAll(period, members)
  local scores = call('ZMSCORE', period.ranking, unpack(ordered))
  for i = 1, #asked do addEntry(lines, period, members[i], ordered[i], scores[i]) end
end
