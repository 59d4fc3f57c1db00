--- A period's entries by member id (rules R1, R2).
-- Needs: board. Defines: orderedOf, memberOf.
-- On MEMBER_ID boards the ranking holds bare ids; on others a tie-break prefix stands before each.

-- How the ranking holds a member, and the prefix of it; nil for one who is not ranked.
local function orderedOf(period, member)
  if board.tieBreak == 'MEMBER_ID' then return member, '' end
  local prefix = call('HGET', period.tie, member)
  if not prefix then return nil end
  return prefix .. member, prefix
end

-- The id in what the ranking holds: time prefixes are 14 wide, sort keys end at their first . or ~
local function memberOf(ordered)
  if board.tieBreak == 'MEMBER_ID' then return ordered end
  if board.tieBreak == 'SORT_KEY' then return ordered:match('^[^.~]*[.~](.*)$') end
  return ordered:sub(15)
end
