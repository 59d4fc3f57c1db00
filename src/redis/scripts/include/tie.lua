--- Time prefixes: what decides between equal scores on EARLIEST and LATEST boards (rules R2, R3).
-- Needs: board. Defines: isTimed, timePrefix(reachedAt, sequence), reachedAt(prefix).
-- 8 digits of time, then 6 of sequence, to the base 64 in an alphabet whose bytes ascend; both complemented where
-- Redis reads them in reverse. 14 characters: with a short id the member still fits the allocator's next size.
local function isTimed()
  return board.tieBreak == 'EARLIEST' or board.tieBreak == 'LATEST'
end

local function isReversed()
  return board.descending ~= (board.tieBreak == 'LATEST')
end

-- Milliseconds from the year 1 to 1970, so that no time is negative.
local timeOffset = 62135596800000
local timeLimit, sequenceLimit = 2 ^ 48 - 1, 2 ^ 36 - 1
local alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

local function digits(number, count)
  local text = {}
  for i = count, 1, -1 do
    local digit = number % 64
    text[i] = alphabet:sub(digit + 1, digit + 1)
    number = (number - digit) / 64
  end
  return table.concat(text)
end

local function timePrefix(time, sequence)
  time = time + timeOffset
  if isReversed() then time, sequence = timeLimit - time, sequenceLimit - sequence end
  return digits(time, 8) .. digits(sequence, 6)
end

local function reachedAt(prefix)
  local time = 0
  for i = 1, 8 do time = time * 64 + alphabet:find(prefix:sub(i, i), 1, true) - 1 end
  if isReversed() then time = timeLimit - time end
  return time - timeOffset
end
