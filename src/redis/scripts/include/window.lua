--- Runs of entries in board order.
-- Needs: order, seek. Defines: page, entry, around. Each returns a run { start, better, through, members and scores },
-- where better counts the entries strictly better than the first one's score, and through those at least as good as
-- the last one's: with them every rank and tie count in the run follows from where scores change.
local function run(period, start, stop)
  if start >= stop then return { start, 0, 0, {} } end
  local entries = slice(period.ranking, start, stop - 1)
  return { start, betterThan(period.ranking, entries[2]), atLeast(period.ranking, entries[#entries]), entries }
end

-- A page's window, then what the cursors leave of it, then offset, then the first or last so many.
-- Adds to the run: low, high (the window), after, before (where the cursors' places are now; −1 without).
local function page(period, read)
  local low, high, after, before = 0, period.total, -1, -1
  local start, stop = low, high
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
  local reply = run(period, start, math.max(stop, start))
  for _, value in ipairs({ low, high, after, before }) do table.insert(reply, value) end
  return reply
end

local function entry(period, read)
  local index = indexOf(period.ranking, read.member)
  if not index then return false end
  return run(period, index, index + 1)
end

-- The entries from so many above a member to so many below; with fill, moved to stay full at both ends.
local function around(period, read)
  local index = indexOf(period.ranking, read.member)
  if not index then return false end
  local size = read.above + read.below + 1
  local start = index - read.above
  if read.fill then start = math.max(0, math.min(start, period.total - size)) end
  local stop = math.min(start + size, period.total)
  start = math.max(start, 0)
  local reply = run(period, start, stop)
  for _, value in ipairs({ 0, period.total, -1, -1 }) do table.insert(reply, value) end
  return reply
end
