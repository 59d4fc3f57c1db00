--- The board of the call under way: its rules and limits, as the caller knows them (board-text.ts).
-- Needs: (nothing). Defines: board, epoch, decoded(text), enter(definition, text).
local board
local epoch

-- JSON that comes again and again, such as a board's rules, is decoded once; the tables are only read. Long texts are
-- not kept: what Lua holds, no maxmemory bounds.
local remembered, rememberedCount, longest = {}, 0, 1000

local function decoded(text)
  if #text > longest then return cjson.decode(text) end
  local known = remembered[text]
  if known then return known end
  if rememberedCount >= 5000 then remembered, rememberedCount = {}, 0 end
  known = cjson.decode(text)
  remembered[text], rememberedCount = known, rememberedCount + 1
  return known
end

-- True where the caller knows the board as it is now: same life, same rules, same Redis process behind it (rule T5).
local function enter(definition, text)
  local known = redis.call('HMGET', definition, 'incarnation', 'version', 'runId', 'epoch')
  board, epoch = decoded(text), known[4]
  return known[1] == board.incarnation and known[2] == board.version and known[3] == board.runId
end
