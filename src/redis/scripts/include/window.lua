--- Runs of entries in board order (rules R4, R5, P1, P6).
-- Needs: board, order, period, distinct, seek. Defines: page, around, entry, list.
-- Each returns text, since nested tables cost Redis more than all the rest: a line of numbers, then a member and a
-- score to a line each, then a line of metadata for each member ("-": none) if the period has any at all. The numbers:
-- start, better, through, dense rank of the first (0 where none is kept), and of a page also low, high, after, before.
-- Better counts the entries strictly better than the first one's score, through those at least as good as the last
-- one's: with them every rank and tie count in the run follows from where scores change. Nothing has a line break in it.
local function run(period, start, stop, more)
  if start >= stop then return start .. ' 0 0 0' .. more end
  -- With the entries beside the run: only where a tie group reaches out of it has anything to be counted.
  local from = math.max(start - 1, 0)
  local entries = slice(period.ranking, from, stop)
  local first = 2 * (start - from) + 1
  local last = first + 2 * (stop - start) - 1
  local best, worst, better, through = entries[first + 1], entries[last], start, stop
  if entries[first - 1] == best then better = betterThan(period.ranking, best) end
  if entries[last + 2] == worst then through = atLeast(period.ranking, worst) end
  local numbers = start .. ' ' .. better .. ' ' .. through .. ' ' .. (denseRank(period, best) or 0) .. more
  local text = numbers .. '\n' .. table.concat(entries, '\n', first, last)
  if not period.hasMetadata then return text end
  local members = {}
  for i = first, last, 2 do table.insert(members, memberOf(entries[i])) end
  local metadata = redis.call('HMGET', period.metadata, unpack(members))
  for i = 1, #members do metadata[i] = metadata[i] or '-' end
  return text .. '\n' .. table.concat(metadata, '\n')
end

-- The indexes, low included and high not, of a window: a range of scores (best, worst), a rank, or the whole period.
local function window(period, read)
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
  local low = read.best and betterThan(period.ranking, read.best) or 0
  local high = read.worst and atLeast(period.ranking, read.worst) or period.total
  return low, math.max(low, high)
end

local function pageOf(period, start, stop, low, high, after, before)
  return run(period, start, stop, ' ' .. low .. ' ' .. high .. ' ' .. after .. ' ' .. before)
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
  if not index then return '' end
  local start = index - read.above
  if read.fill then start = math.max(0, math.min(start, period.total - size)) end
  local stop = math.min(start + size, period.total)
  start = math.min(math.max(start, 0), period.total)
  return pageOf(period, start, math.max(stop, start), 0, period.total, -1, -1)
end

local function entry(period, read)
  local ordered = orderedOf(period, read.member)
  local index = ordered and indexOf(period.ranking, ordered)
  if not index then return '' end
  return run(period, index, index + 1, '')
end

-- The entries of these members, in the order asked, an empty line between each; nothing for one who is not ranked.
local function list(period, read)
  local runs = {}
  for i, member in ipairs(read.members) do runs[i] = entry(period, { member = member }) end
  return table.concat(runs, '\n\n')
end
