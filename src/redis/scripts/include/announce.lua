--- Tells of what a step changed: the board's log, and every process.
-- Needs: board. Defines: tell(told, event, changes), announce(log, told).
-- A message is a list (JSON): the epoch, then up to 16 events of a step. An event is a list: id, member, time, changes
-- (include/change.lua), and, where it says that a period closed, its key. The pieces are put together once, at the end.
local most = 16

-- Adds an event to what is told: a submission or removal { id, member, at (text) } with its changes (JSON each), or that
-- a period closed.
local function tell(told, event, changes)
  local message = told[#told]
  if not message or #message > most then
    message = { '["' .. board.epoch .. '"' }
    told[#told + 1] = message
  end
  local whose = '["' .. event.id .. '",' .. cjson.encode(event.member) .. ',' .. event.at
  local closed = event.closed and ',"' .. event.closed .. '"' or ''
  message[#message + 1] = ',' .. whose .. ',[' .. table.concat(changes, ',') .. ']' .. closed .. ']'
end

local function announce(log, told)
  for _, message in ipairs(told) do
    message[#message + 1] = ']'
    local text = table.concat(message)
    call('XADD', log, 'MAXLEN', '~', board.logLength, '*', 'm', text)
    call(board.publish, board.channel, text)
  end
end
