--- What a step did to an entry, as those read it who made it or hear of it (changes.ts).
-- Needs: order, distinct. Defines: placeBefore(period, ordered, score), which beforeText(place, ordered, member, dropped)
-- closes; entryText(period, ordered, score, member); changeText(period, outcome, version, late, annotated, before, entry).
-- JSON lists: names would be most of each text, and what Lua makes is hashed from end to end. 0 for what there is not.

-- A member as the ranking holds it, unless that is the id alone.
local function heldText(ordered, member)
  return ordered == member and '0' or cjson.encode(ordered)
end

-- Score, index, competition rank and dense rank, to go on from. Counts of entries are small enough for %d; texts are joined,
-- since %s takes as long as a number.
local function openPlace(period, score, index, better)
  local dense = denseRank(period, score)
  return '["' .. score .. '",' .. ('%d,%d'):format(index, better + 1) .. (dense and (',%d'):format(dense) or ',0')
end

-- Where an entry is before it changes.
local function placeBefore(period, ordered, score)
  return openPlace(period, score, indexOf(period.ranking, ordered), betterThan(period.ranking, score))
end

-- A place, how it was held, and 1 if nobody has that score any more.
local function beforeText(place, ordered, member, dropped)
  return place .. ',' .. heldText(ordered, member) .. (dropped and ',1]' or ',0]')
end

-- A place, how it is held, how many have that score, and how many are ranked.
local function entryText(period, ordered, score, member)
  local index, better, ties = placeOf(period.ranking, ordered, score)
  local place = openPlace(period, score, index, better)
  return place .. ',' .. heldText(ordered, member) .. (',%d,%d]'):format(ties, period.total)
end

local function changeText(period, outcome, version, late, annotated, before, entry)
  local opening = '["' .. period .. '","' .. outcome .. '",' .. ('%.0f'):format(version) .. ','
  return opening .. late .. ',' .. annotated .. ',' .. before .. ',' .. entry .. ']'
end
