--- A submission as the caller sends it: six texts in a row (submissions.ts).
-- Needs: board. Defines: textsPerSubmission, submissionOf(texts, first).
-- Id; member; score, or empty; time; how (JSON, the same for many): periods, policy; and what it has beside that (JSON, or
-- empty): sortKey, metadata, key, fingerprint.
local textsPerSubmission = 6
local nothing = {}

local function submissionOf(texts, first)
  local how, beside = decoded(texts[first + 4]), texts[first + 5]
  beside = beside == '' and nothing or cjson.decode(beside)
  return {
    id = texts[first],
    member = texts[first + 1],
    score = texts[first + 2] ~= '' and texts[first + 2] or nil,
    at = texts[first + 3],
    periods = how.periods,
    policy = how.policy,
    sortKey = beside.sortKey,
    metadata = beside.metadata,
    key = beside.key,
    fingerprint = beside.fingerprint,
  }
end
