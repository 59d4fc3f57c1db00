--- What a score would do to one period, without writing (rules S1–S3, T2).
-- Needs: rules, request, backfill. Defines: plan(period, submission).

-- Returns a plan { old, new } (new is nil where nothing changes), or a refusal { code, fatal }.
local function plan(period, submission)
  local state = redis.call('HGET', period.meta, 'state')
  if state == 'CLOSED' or (period.closesAt and request.now >= period.closesAt and not backfill) then
    return { refused = 'PERIOD_CLOSED' }
  end
  local old = redis.call('ZSCORE', period.ranking, submission.member)
  local policy = submission.policy or rules.scorePolicy
  local new = tonumber(submission.score)
  if old and policy == 'SUM' then new = new + tonumber(old) end
  if new < rules.lowest or new > rules.highest then return { refused = 'SCORE_OUT_OF_RANGE', fatal = true } end
  if old then
    local stays = new == tonumber(old)
    if policy == 'BEST' and not stays then stays = (new > tonumber(old)) ~= descending end
    if stays then return { old = old } end
  end
  return { old = old, new = string.format('%.0f', new) }
end
