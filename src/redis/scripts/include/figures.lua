--- Figures about scores rather than entries.
-- Needs: board, order, distinct. Defines: position, histogram. Each adds numbers, a line each.

-- Where a score would stand: entries strictly better, entries equal, its dense rank (empty where none is kept).
local function position(lines, period, read, values)
  local score = values[read.score]
  local better, ties = betterThan(period.ranking, score), equalTo(period.ranking, score)
  lines[#lines + 1] = ('%d\n%d\n'):format(better, ties) .. (denseRank(period, score) or '')
end

-- Exact counts of entries in so many ranges of scores of equal width, from the lowest to the highest score held:
-- how many, lowest, width, then the counts. Only an empty line where there are no entries.
local function histogram(lines, period, read)
  local lowest = call('ZRANGE', period.ranking, 0, 0, 'WITHSCORES')[2]
  if not lowest then
    lines[#lines + 1] = ''
    return
  end
  local highest = call('ZRANGE', period.ranking, -1, -1, 'WITHSCORES')[2]
  local width = math.ceil((tonumber(highest) - tonumber(lowest) + 1) / read.buckets)
  local counts = {}
  for i = 1, read.buckets do
    local from, to = tonumber(lowest) + (i - 1) * width, tonumber(lowest) + i * width
    if from > tonumber(highest) then break end
    local beyond = i == read.buckets and '+inf' or string.format('(%.0f', to)
    counts[i] = call('ZCOUNT', period.ranking, string.format('%.0f', from), beyond)
  end
  lines[#lines + 1] = #counts .. '\n' .. lowest .. '\n' .. string.format('%.0f', width) .. '\n' .. table.concat(counts, '\n')
end
