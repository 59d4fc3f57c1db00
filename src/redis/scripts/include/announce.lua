--- Tells of what a step changed: the board's log, and every process.
-- Needs: board. Defines: addList(pieces, items), tell(told, event, changes), announce(log, told).
-- A message is a list (JSON) of the events of a step, of up to 16. Its pieces are put together once, at the end, since
-- each string that Lua makes is hashed from end to end.
local most = 16

-- Adds a list's items (JSON each) to pieces of JSON.
local function addList(pieces, items)
  for i, item in ipairs(items) do
    if i > 1 then table.insert(pieces, ',') end
    table.insert(pieces, item)
  end
end

-- Adds an event to what is told: a submission or removal { id, member, at } with its changes (JSON each), or that a period
-- closed.
local function tell(told, event, changes)
  local message = told[#told]
  if not message or message.count == most then
    message = { count = 0 }
    table.insert(told, message)
  end
  message.count = message.count + 1
  local opening, at = message.count == 1 and '[' or ',', string.format('%.0f', event.at)
  local closed = event.closed and ',"closed":"' .. event.closed .. '"' or ''
  local whose = '{"epoch":"' .. epoch .. '","id":"' .. event.id .. '","member":' .. cjson.encode(event.member)
  table.insert(message, opening .. whose .. ',"at":' .. at .. closed .. ',"changes":[')
  addList(message, changes)
  table.insert(message, ']}')
end

local function announce(log, told)
  for _, message in ipairs(told) do
    table.insert(message, ']')
    local text = table.concat(message)
    redis.call('XADD', log, 'MAXLEN', '~', board.logLength, '*', 'm', text)
    redis.call(board.publish, board.channel, text)
  end
end
