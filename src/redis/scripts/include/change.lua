--- What a step did to an entry, as those read it who made it or hear of it (changes.ts).
-- Needs: board, order, distinct. Defines: placeOf(period, ordered, score), beforeText(place, ordered, member, dropped),
-- entryText(period, ordered, score, member), changeText(period, outcome, version, late, before, entry, more).
-- JSON lists: names would be most of each text, and what Lua makes is hashed from end to end. 0 for what there is not.

-- A member as the ranking holds it, unless that is the id alone.
local function heldText(ordered, member)
  return ordered == member and '0' or cjson.encode(ordered)
end

-- Score, index, competition rank and dense rank. Whole numbers: %d writes every digit of them. Texts are joined, since %s
-- is as slow as a number.
local function placeText(period, score, index, better)
  local dense = denseRank(period, score)
  return '["' .. score .. '",' .. ('%d,%d'):format(index, better + 1) .. (dense and (',%d'):format(dense) or ',0')
end

-- Where an entry is before it changes, for beforeText.
local function placeOf(period, ordered, score)
  return placeText(period, score, indexOf(period.ranking, ordered), betterThan(period.ranking, score))
end

-- A place, how it was held, and 1 if nobody has that score any more.
local function beforeText(place, ordered, member, dropped)
  return place .. ',' .. heldText(ordered, member) .. (dropped and ',1]' or ',0]')
end

-- A place, how it is held, how many have that score, and how many are ranked.
local function entryText(period, ordered, score, member)
  local better, ties = betterThan(period.ranking, score), equalTo(period.ranking, score)
  local index = ties == 1 and better or indexOf(period.ranking, ordered)
  local place = placeText(period, score, index, better)
  return place .. ',' .. heldText(ordered, member) .. (',%d,%d]'):format(ties, period.total)
end

local function changeText(period, outcome, version, late, before, entry, more)
  local opening = '["' .. period .. '","' .. outcome .. '",' .. ('%d'):format(version) .. ','
  return opening .. late .. ',' .. before .. ',' .. entry .. ',' .. more .. ']'
end
