--- The distinct scores of a period, kept only on boards that ask for dense ranks (rule R4).
-- Needs: board, order. Defines: holdScore, dropScore, denseRank.
local function holdScore(period, score)
  if board.denseRanks then call('ZADD', period.distinct, score, score) end
end

-- Call when an entry no longer has a score: it leaves the index with its last holder. True where it did, else nil.
local function dropScore(period, score)
  if not (board.denseRanks or period.dense == '1') or equalTo(period.ranking, score) > 0 then return nil end
  return call('ZREM', period.distinct, score) == 1 or nil
end

-- Distinct better scores + 1; nil where no complete index is kept.
local function denseRank(period, score)
  local ready = board.denseReady
  if period.dense then ready = period.dense == '1' end
  if not ready then return nil end
  return betterThan(period.distinct, score) + 1
end
