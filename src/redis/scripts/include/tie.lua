--- Time prefixes: what decides between equal scores on EARLIEST and LATEST boards (rules R2, R3).
-- Needs: tieBreak, descending. Defines: timed, timePrefix(reachedAt, sequence), reachedAt(prefix).
-- 13 hexadecimal digits of time, then 9 of sequence, both complemented where Redis reads them in reverse.
local timed = tieBreak == 'EARLIEST' or tieBreak == 'LATEST'
local reversed = descending ~= (tieBreak == 'LATEST')

-- Milliseconds from the year 1 to 1970, so that no time is negative.
local timeOffset = 62135596800000
local timeLimit, sequenceLimit = 2 ^ 52 - 1, 2 ^ 36 - 1

local function timePrefix(time, sequence)
  time = time + timeOffset
  if reversed then time, sequence = timeLimit - time, sequenceLimit - sequence end
  return string.format('%013x%09x', time, sequence)
end

local function reachedAt(prefix)
  local time = tonumber(prefix:sub(1, 13), 16)
  if reversed then time = timeLimit - time end
  return time - timeOffset
end
