--- A period's keys.
-- Needs: (nothing). Defines: keysPerPeriod, periodOf.

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
