--- A submission as the caller sends it: six texts in a row (submissions.ts).
-- Needs: board. Defines: textsPerSubmission, submissionOf(texts, first).
-- Id; member; score, or empty; time; what it has in common with many (JSON): periods, policy; and what it has of
-- its own (JSON, or empty): sortKey, metadata, key, fingerprint.
local textsPerSubmission = 6
local nothing = {}

local function submissionOf(texts, first)
  local common, own = decoded(texts[first + 4]), texts[first + 5]
  own = own == '' and nothing or cjson.decode(own)
  return {
    id = texts[first],
    member = texts[first + 1],
    score = texts[first + 2] ~= '' and texts[first + 2] or nil,
    at = texts[first + 3],
    periods = common.periods,
    policy = common.policy,
    sortKey = own.sortKey,
    metadata = own.metadata,
    key = own.key,
    fingerprint = own.fingerprint,
  }
end
