--- A period's keys.
-- Needs: (nothing). Defines: keysPerPeriod, periodOf, keyOf.

-- Keys in the order of keys.ts: ranking, meta, tie, distinct, metadata.
local keysPerPeriod = 5

local function periodOf(KEYS, first)
  return {
    ranking = KEYS[first],
    meta = KEYS[first + 1],
    tie = KEYS[first + 2],
    distinct = KEYS[first + 3],
    metadata = KEYS[first + 4],
  }
end

-- The period's key, out of its ranking's name.
local function keyOf(period)
  return period.ranking:match('^lb:{.-}:(.*)$')
end
