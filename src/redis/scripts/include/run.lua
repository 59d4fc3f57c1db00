--- Runs of entries in board order, with what ranks them (rules R4, R5).
-- Needs: board, order, period, distinct, reply. Defines: sayRun(period, start, stop).
-- Lines: how many entries, start, better, through, dense rank of the first, 1 if there is metadata; then a member and a
-- score for each; then the metadata of each ("-": none). Nothing has a line break in it.
-- Better counts the entries strictly better than the first one's score, through those at least as good as the last
-- one's: with them every rank and tie count in the run follows from where scores change. An empty line for what goes
-- without saying, since making text of a number costs as much as finding it: better is start, through is stop.
local function sayRun(period, start, stop)
  say(('%d\n%d'):format(stop - start, start))
  if start == stop then return say('\n\n\n') end
  -- With the entries beside the run: only where a tie group reaches out of it has anything to be counted.
  local from = math.max(start - 1, 0)
  local entries = slice(period.ranking, from, stop)
  local first = 2 * (start - from) + 1
  local last = first + 2 * (stop - start) - 1
  local best, worst = entries[first + 1], entries[last]
  say(entries[first - 1] == best and betterThan(period.ranking, best) or '')
  say(entries[last + 2] == worst and atLeast(period.ranking, worst) or '')
  say(denseRank(period, best) or '')
  say(period.hasMetadata and '1' or '')
  sayAll(entries, first, last)
  if not period.hasMetadata then return end
  local members = {}
  for i = first, last, 2 do table.insert(members, memberOf(entries[i])) end
  local metadata = redis.call('HMGET', period.metadata, unpack(members))
  for i = 1, #members do say(metadata[i] or '-') end
end
