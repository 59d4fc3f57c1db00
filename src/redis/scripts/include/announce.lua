--- Tells of what a step changed: the board's log, and every process.
-- Needs: board. Defines: message(head, changes), announce(log, messages).

-- One submission or removal. Its changes come as JSON, each by itself: what is told is often what is answered too.
local function message(head, changes)
  head.epoch = epoch
  return cjson.encode(head):sub(1, -2) .. ',"changes":[' .. table.concat(changes, ',') .. ']}'
end

-- So many are told of together.
local most = 16

local function announce(log, messages)
  for i = 1, #messages, most do
    local text = '[' .. table.concat(messages, ',', i, math.min(i + most - 1, #messages)) .. ']'
    redis.call('XADD', log, 'MAXLEN', '~', board.logLength, '*', 'm', text)
    redis.call(board.publish, board.channel, text)
  end
end
