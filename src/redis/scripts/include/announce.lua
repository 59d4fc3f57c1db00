--- Writes one message to the board's log and tells every process, in the step that made the changes.
-- Needs: board. Defines: announce(log, head, changes).

-- The changes come as JSON, each by itself: what is sent is often what is answered too.
local function announce(log, head, changes)
  head.epoch = epoch
  local text = cjson.encode(head):sub(1, -2) .. ',"changes":[' .. table.concat(changes, ',') .. ']}'
  redis.call('XADD', log, 'MAXLEN', '~', board.logLength, '*', 'm', text)
  redis.call('PUBLISH', board.channel, text)
end
