--- Runs of entries in board order, with what ranks them (rules R4, R5).
-- Needs: board, order, period, distinct. Defines: addRun(lines, period, start, stop).
-- Lines: how many entries, start, better, through, dense rank of the first, 1 if there is metadata; then a member and a
-- score for each; then the metadata of each ("-": none). Nothing has a line break in it.
-- Better counts the entries strictly better than the first one's score, through those at least as good as the last
-- one's: with them every rank and tie count in the run follows from where scores change. An empty line for what goes
-- without saying: better is start, through is stop.

-- The metadata of entries, each on a line.
local function metadataText(period, entries, first, last)
  local members = {}
  for i = first, last, 2 do members[#members + 1] = memberOf(entries[i]) end
  local metadata = call('HMGET', period.metadata, unpack(members))
  for i = 1, #members do metadata[i] = metadata[i] or '-' end
  return table.concat(metadata, '\n')
end

local function addRun(lines, period, start, stop)
  local at = #lines
  if start == stop then
    lines[at + 1] = ('0\n%d\n\n\n\n'):format(start)
    return
  end
  -- With the entries beside the run: only where a tie group reaches out of it has anything to be counted.
  local from = start > 0 and start - 1 or 0
  local entries = slice(period.ranking, from, stop)
  local first = 2 * (start - from) + 1
  local last = first + 2 * (stop - start) - 1
  local best, worst = entries[first + 1], entries[last]
  local better = entries[first - 1] == best and betterThan(period.ranking, best) or ''
  local through = entries[last + 2] == worst and atLeast(period.ranking, worst) or ''
  local dense = denseRank(period, best) or ''
  local counts = ('%d\n%d\n'):format(stop - start, start) .. better .. '\n' .. through .. '\n' .. dense
  lines[at + 1] = counts .. (period.hasMetadata and '\n1' or '\n')
  lines[at + 2] = table.concat(entries, '\n', first, last)
  if period.hasMetadata then lines[at + 3] = metadataText(period, entries, first, last) end
end
