--- Writes one message to the board's log and tells every process, in the step that made the changes.
-- Needs: log (key), channel, logLength. Defines: announce(message).
local function announce(message)
  local text = cjson.encode(message)
  redis.call('XADD', log, 'MAXLEN', '~', logLength, '*', 'm', text)
  redis.call('PUBLISH', channel, text)
end
