--- The board of the call under way: its rules and limits, as the caller knows them (board-text.ts).
-- Needs: (nothing). Defines: board, call, decoded(text), enter(definition, rules).
local board
-- redis.call, which is not there yet when a library loads. Looked up once a script: each look costs as much as a line.
local call

-- JSON that comes again and again, such as a board's rules, is decoded once; the tables are only read. Bounded, for no
-- maxmemory bounds what Lua holds: a table takes some ten times the bytes of its text.
local remembered, rememberedBytes = {}, 0
local longest, mostBytes = 3000, 300000

local function decoded(text)
  local known = remembered[text]
  if known then return known end
  known = cjson.decode(text)
  if #text > longest then return known end
  if rememberedBytes + #text > mostBytes then remembered, rememberedBytes = {}, 0 end
  remembered[text], rememberedBytes = known, rememberedBytes + #text
  return known
end

-- True where the caller knows the board as it is now: same life, same rules, same Redis process behind it (rule T5).
local function enter(definition, rules)
  board, call = rules, redis.call
  return call('HGET', definition, 'fence') == rules.fence
end
