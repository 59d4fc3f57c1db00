--- Whether the caller knows the board as it is now: same life, same rules, same Redis process behind it.
-- Needs: definition (key). Defines: fenced(incarnation, version, runId), which returns the epoch, or nil.
local function fenced(incarnation, version, runId)
  local known = redis.call('HMGET', definition, 'incarnation', 'version', 'runId', 'epoch')
  if known[1] == incarnation and known[2] == version and known[3] == runId then return known[4] end
  return nil
end
