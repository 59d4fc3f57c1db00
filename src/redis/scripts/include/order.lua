--- Places in board order (rules R1, R4).
-- Needs: board. Defines: indexOf, betterThan, atLeast, equalTo, placeOf, slice.
local function indexOf(ranking, member)
  return call(board.descending and 'ZREVRANK' or 'ZRANK', ranking, member)
end

-- Entries strictly better than a score: competition rank − 1.
local function betterThan(ranking, score)
  if board.descending then return call('ZCOUNT', ranking, '(' .. score, '+inf') end
  return call('ZCOUNT', ranking, '-inf', '(' .. score)
end

-- Entries as good as a score or better: where its tie group ends.
local function atLeast(ranking, score)
  if board.descending then return call('ZCOUNT', ranking, score, '+inf') end
  return call('ZCOUNT', ranking, '-inf', score)
end

local function equalTo(ranking, score)
  return call('ZCOUNT', ranking, score, score)
end

-- An entry's index, how many are strictly better, and how many have its score. Who is better is counted only in a tie:
-- else no function of ours is called on the way, for most reads are this.
local function placeOf(ranking, ordered, score)
  local index = call(board.descending and 'ZREVRANK' or 'ZRANK', ranking, ordered)
  local ties = call('ZCOUNT', ranking, score, score)
  return index, ties == 1 and index or betterThan(ranking, score), ties
end

-- Members and scores of the indexes from start to stop, both included, in board order. As texts: of a number Redis works
-- out 17 digits.
local function slice(ranking, start, stop)
  start, stop = ('%d'):format(start), ('%d'):format(stop)
  if board.descending then return call('ZRANGE', ranking, start, stop, 'REV', 'WITHSCORES') end
  return call('ZRANGE', ranking, start, stop, 'WITHSCORES')
end
