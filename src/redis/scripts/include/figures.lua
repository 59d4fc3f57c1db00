--- Figures about scores rather than entries.
-- Needs: order, distinct. Defines: position, histogram. Each returns a line of numbers.

-- Where a score would stand: entries strictly better, entries equal, its dense rank (0 where none is kept).
local function position(period, read)
  local better, ties = betterThan(period.ranking, read.score), equalTo(period.ranking, read.score)
  return better .. ' ' .. ties .. ' ' .. (denseRank(period, read.score) or 0)
end

-- Exact counts of entries in so many ranges of scores of equal width, from the lowest to the highest score held:
-- lowest, width, then the counts. Empty where there are no entries.
local function histogram(period, read)
  local lowest = redis.call('ZRANGE', period.ranking, 0, 0, 'WITHSCORES')[2]
  if not lowest then return '' end
  local highest = redis.call('ZRANGE', period.ranking, -1, -1, 'WITHSCORES')[2]
  local width = math.ceil((tonumber(highest) - tonumber(lowest) + 1) / read.buckets)
  local counts = {}
  for i = 1, read.buckets do
    local from, to = tonumber(lowest) + (i - 1) * width, tonumber(lowest) + i * width
    if from > tonumber(highest) then break end
    local beyond = i == read.buckets and '+inf' or string.format('(%.0f', to)
    counts[i] = redis.call('ZCOUNT', period.ranking, string.format('%.0f', from), beyond)
  end
  return lowest .. ' ' .. string.format('%.0f', width) .. ' ' .. table.concat(counts, ' ')
end
