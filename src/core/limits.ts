/** Every bound on what a caller may send or hold (rule A2). */
export const limits = {
  keyBytes: 64,
  memberIdBytes: 128,
  titleBytes: 200,
  idempotencyKeyBytes: 128,
  displayNameBytes: 200,
  avatarUrlBytes: 2048,
  attributesBytes: 4096,
  metadataBytes: 1024,
  sortKeyBytes: 64,
  sortNameBytes: 400,
  /** Entries, boards or periods in one page. */
  pageSize: 100,
  /** Member ids in one `entriesOf`. */
  listSize: 500,
  /** Scores in one `submitScores`, members in one `upsertMembers`. */
  batchSize: 1000,
  /** Scores in one script call: some milliseconds of Redis at the most. */
  stepSize: 16,
  /** Reads of several askers in one script call: some milliseconds of Redis at the most. */
  sharedReads: 32,
  /** Scores in one block: a block is applied in a single step, which holds Redis for some milliseconds. */
  blockSize: 250,
  /** Largest number of entries one window subscription may watch. */
  windowSize: 100,
  histogramBuckets: 100,
  /** Seasons of one board. */
  seasons: 500,
  /** Coming periods in one `calendar`. */
  calendarLength: 100,
  /** Entries of a period that a snapshot copies: holds Redis for some 50 ms at the most. */
  snapshotEntries: 100_000,
  /** Entries in one batch of archiving. */
  archiveBatch: 2_000,
  /** Periods of a cadence in one career. */
  careerPeriods: 400,
  /** Distinct scores added to a dense index in one script call. */
  indexStep: 500,
  bodyBytes: 1024 * 1024,
  websocketMessageBytes: 64 * 1024,
  /** Words and signs in the text of an operation. */
  queryTokens: 5_000,
  queryDepth: 14,
  queryBreadth: 300,
  queryComplexity: 20_000,
  subscriptionsPerConnection: 100,
  connections: 25_000,
  /** A client that takes nothing of what waits for it for so long is closed. */
  stalledMs: 15_000,
  /** How far an event time may lie ahead of the clock, for clocks that differ a little. */
  clockSkewMs: 60_000,
  /** How long the result of a submission is remembered under its idempotency key. */
  idempotencyTtlMs: 24 * 60 * 60 * 1000,
  /** Entries kept in a board's log stream, about: each tells of up to 16 submissions of one step. */
  logLength: 1_000,
} as const;
