--- Finding a place <score, member> in board order, whether or not that member still has that score (rule P1).
-- Needs: board, order. Defines: seek(ranking, score, member), which returns how many entries stand before the place,
-- and how many at or before it. O(log N); O(log² N) where the member is gone from a tie group.

-- Bytes, not strcoll as Lua's own < would: board order is Redis' order under any locale.
local function bytesBefore(a, b)
  local length = math.min(#a, #b)
  for i = 1, length do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

local function seek(ranking, score, member)
  local held = call('ZSCORE', ranking, member)
  if held and tonumber(held) == tonumber(score) then
    local index = indexOf(ranking, member)
    return index, index + 1
  end
  -- Binary search for the first entry of the tie group that follows the place.
  local low, high = betterThan(ranking, score), atLeast(ranking, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local there = slice(ranking, middle, middle)[1]
    local follows
    if board.descending then follows = bytesBefore(there, member) else follows = bytesBefore(member, there) end
    if follows then high = middle else low = middle + 1 end
  end
  return low, low
end
