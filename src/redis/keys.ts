/** Every key and channel name of Laurel. Each board has one hash tag, so that what a script touches is in one slot. */
export const keys = {
  definition: (board: string) => `lb:{${board}}#def`,
  /** Periods that were written to: key → cadence. */
  periods: (board: string) => `lb:{${board}}#periods`,
  log: (board: string) => `lb:{${board}}#log`,
  /** Blocks of imported rows, for ever: where one begins → what was applied there. */
  blocks: (board: string) => `lb:{${board}}#blocks`,
  /** Set of the periods that were written to and are not closed for good. */
  open: (board: string) => `lb:{${board}}#open`,
  /** Closed periods, for ever: period → what is known of it. */
  closed: (board: string) => `lb:{${board}}#closed`,
  /** Closed periods that Redis still holds: period, by when it may go. */
  kept: (board: string) => `lb:{${board}}#kept`,
  /** Who closes a period just now. */
  closing: (board: string, period: string) => `lb:{${board}}:${period}#closing`,
  idempotency: (board: string, key: string) => `lb:{${board}}#idem:${key}`,
  ranking: (board: string, period: string) => `lb:{${board}}:${period}`,
  meta: (board: string, period: string) => `lb:{${board}}:${period}#meta`,
  /** Member → tie-break prefix, on boards that have one. */
  tie: (board: string, period: string) => `lb:{${board}}:${period}#tie`,
  /** Sorted set of the distinct scores, on boards with dense ranks. */
  distinct: (board: string, period: string) => `lb:{${board}}:${period}#distinct`,
  /** Member → JSON of the write that is shown. */
  metadata: (board: string, period: string) => `lb:{${board}}:${period}#metadata`,
  /** How far the dense index of each period is built: period → score, or DONE. */
  dense: (board: string) => `lb:{${board}}#dense`,
  /** Sorted set of all board keys, all scores 0. */
  boards: 'boards',
  profile: (memberId: string) => `profile:${memberId}`,
} as const;

export const channels = {
  board: (board: string) => `lb:{${board}}`,
  /** Keys of boards whose definition changed. */
  definitions: 'boards',
} as const;

/** The keys of one period, in the order in which scripts take them. Remembered: every read and write names them. */
export function periodKeys(board: string, period: string): readonly string[] {
  const known = remembered.get(board)?.get(period);
  if (known) return known;
  const made = [
    keys.ranking(board, period),
    keys.meta(board, period),
    keys.tie(board, period),
    keys.distinct(board, period),
    keys.metadata(board, period),
  ];
  if (rememberedCount >= rememberedPeriods) {
    remembered.clear();
    rememberedCount = 0;
  }
  rememberedCount += 1;
  const ofBoard = remembered.get(board) ?? new Map<string, readonly string[]>();
  remembered.set(board, ofBoard.set(period, made));
  return made;
}

/** By board and period: a name put together for looking it up would cost more than the look. */
const remembered = new Map<string, Map<string, readonly string[]>>();
let rememberedCount = 0;
const rememberedPeriods = 10_000;
