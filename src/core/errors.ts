/**
 * Every error a caller can meet, with what it means. The codes are part of the API: they are the values of the
 * GraphQL enum `ErrorCode`, `docs/errors.md` lists them, and a test holds the two together.
 */
export const errorMeanings = {
  BAD_INPUT: 'An argument has a value that cannot be accepted; the message names it.',
  BAD_KEY: 'A leaderboard key is not of the form [a-z0-9][a-z0-9_-]{0,63}.',
  BAD_MEMBER_ID: 'A member id is not 1 to 128 bytes of UTF-8 without control characters or lone surrogates.',
  BAD_PAGE: 'Paging arguments exclude each other or are negative.',
  PAGE_TOO_LARGE: 'More entries were asked for than one page may hold.',
  BAD_CURSOR: 'A cursor is malformed or truncated.',
  CURSOR_OF_OTHER_LEADERBOARD: 'A cursor belongs to another leaderboard.',
  CURSOR_OF_OTHER_PERIOD: 'A cursor belongs to another period.',
  CURSOR_OF_OTHER_INCARNATION: 'A cursor was made before the leaderboard was deleted and made anew.',
  LEADERBOARD_NOT_FOUND: 'No leaderboard has this key.',
  LEADERBOARD_EXISTS: 'A leaderboard with this key exists already.',
  LEADERBOARD_CHANGED: 'The leaderboard was changed by somebody else meanwhile; read it again and retry.',
  PERIOD_NOT_FOUND: 'The leaderboard has no such period.',
  PERIOD_CLOSED: 'The period has ended and its grace is over: it accepts no scores.',
  PERIOD_NOT_ENDED: 'The period has not ended: it cannot be closed yet.',
  PERIOD_EXPIRED: 'The period closed, its time in Redis is over, and it is in no archive.',
  PERIOD_TOO_LARGE: 'The period has more entries than can be copied in one step.',
  NO_SEASON: 'No season of the leaderboard holds the event time.',
  BAD_SEASON: 'A season has a reserved key, ends before it starts, overlaps another, or is past changing.',
  BACKFILL_HELD: 'The leaderboard is under a backfill hold: release it first.',
  ARCHIVE_UNAVAILABLE: 'The archive cannot be reached just now; retry.',
  NOT_RANKED: 'The member has no entry in this period.',
  BAD_SORT_KEY: 'A sort key is too long, not of the board’s type, or the board has none.',
  OCCURRED_IN_FUTURE: 'The event time lies in the future.',
  SCORE_TOO_PRECISE: "The score has more decimals than the leaderboard's scoreScale.",
  SCORE_OUT_OF_RANGE: "The score, or the sum it would make, leaves the leaderboard's range.",
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used before, with other arguments.',
  BLOCK_CONFLICT: 'A block of rows at this place was applied before, with other rows.',
  BATCH_TOO_LARGE: 'More items were sent than one call may hold.',
  UNAUTHENTICATED: 'The key sent is not known.',
  FORBIDDEN: 'The caller may not do this.',
  QUERY_TOO_COMPLEX: 'The query is too deep, too broad or too costly.',
  BODY_TOO_LARGE: 'The request body is larger than allowed.',
  TOO_MANY_SUBSCRIPTIONS: 'The connection holds as many subscriptions as it may.',
  STORE_UNAVAILABLE: 'Redis cannot be reached just now; retry with the same idempotency key.',
  INTERNAL: 'Something unexpected went wrong; the log has more under the request id.',
} as const;

export type ErrorCode = keyof typeof errorMeanings;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorMeanings, text);

/** An expected failure: a stable code for programs, a message that says what to do for people. */
export class LaurelError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'LaurelError';
    this.code = code;
    this.details = details;
  }
}
