--- Figures about scores rather than entries.
-- Needs: order, distinct, reply. Defines: position, histogram. Each says numbers, a line each.

-- Where a score would stand: entries strictly better, entries equal, its dense rank (empty where none is kept).
local function position(period, read, values)
  local score = values[read.score]
  local better, ties = betterThan(period.ranking, score), equalTo(period.ranking, score)
  say(better)
  say(ties)
  say(denseRank(period, score) or '')
end

-- Exact counts of entries in so many ranges of scores of equal width, from the lowest to the highest score held:
-- how many, lowest, width, then the counts. Only an empty line where there are no entries.
local function histogram(period, read)
  local lowest = redis.call('ZRANGE', period.ranking, 0, 0, 'WITHSCORES')[2]
  if not lowest then return say('') end
  local highest = redis.call('ZRANGE', period.ranking, -1, -1, 'WITHSCORES')[2]
  local width = math.ceil((tonumber(highest) - tonumber(lowest) + 1) / read.buckets)
  local counts = {}
  for i = 1, read.buckets do
    local from, to = tonumber(lowest) + (i - 1) * width, tonumber(lowest) + i * width
    if from > tonumber(highest) then break end
    local beyond = i == read.buckets and '+inf' or string.format('(%.0f', to)
    counts[i] = redis.call('ZCOUNT', period.ranking, string.format('%.0f', from), beyond)
  end
  say(#counts)
  say(lowest)
  say(string.format('%.0f', width))
  sayAll(counts, 1, #counts)
end
