--- The lines of a reply, gathered to be made one text at the end. In JSON a line ends where white space may stand.
-- Needs: (nothing). Defines: begin(), say(text), sayAll(list, first, last), said().
-- One text, since nested tables cost Redis more than all the rest; at the end, since each string that Lua makes is hashed
-- from end to end.
local lines, count = {}, 0

-- Forgets what an error left unsaid.
local function begin()
  count = 0
end

local function say(text)
  count = count + 1
  lines[count] = text
end

local function sayAll(list, first, last)
  local to, from = lines, count + 1 - first
  for i = first, last do to[from + i] = list[i] end
  count = count + last - first + 1
end

local function said()
  return table.concat(lines, '\n', 1, count)
end
