import type { Boards } from './boards.ts';
import { boardPeriodAt, findPeriod, getPeriod } from './calendar.ts';
import { LaurelError } from './errors.ts';
import { type Leaderboard, stateOf } from './leaderboard.ts';
import { limits } from './limits.ts';
import { checkMemberId } from './member.ts';
import { sortPrefix } from './order.ts';
import { earliestInstant, latestInstant, type Period } from './period.ts';
import type { Clock, EntryStore } from './ports.ts';
import { parseScore } from './score.ts';
import type {
  Block,
  BlockStep,
  Outcome,
  Removal,
  ScoreInput,
  SortKeyInput,
  Submission,
  Submitted,
} from './submission.ts';
import { checkJson, checkText } from './text.ts';

/** A submission's result in a batch: what the store did, or why it was refused. */
export type Scored = Exclude<Outcome, { refused: unknown }> | LaurelError;

interface WaitingScore {
  readonly input: ScoreInput;
  resolve(outcome: Scored): void;
  reject(error: unknown): void;
}

/** Writing scores: what callers send becomes submissions, and the store's codes become errors. */
export class Scoring {
  readonly #boards: Boards;
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, WaitingScore[]>();

  constructor(boards: Boards, entries: EntryStore, clock: Clock) {
    this.#boards = boards;
    this.#entries = entries;
    this.#clock = clock;
  }

  /**
   * One score into all periods of its board. Those that arrive together for one board go to the store together: each
   * is still a step of its own there, with its own outcome, but they share the way.
   */
  async submit(key: string, input: ScoreInput): Promise<Submitted> {
    const outcome = await new Promise<Scored>((resolve, reject) => {
      const waiting = this.#waiting.get(key) ?? [];
      if (waiting.length === 0) {
        this.#waiting.set(key, waiting);
        setImmediate(() => this.#submitWaiting(key));
      }
      waiting.push({ input, resolve, reject });
    });
    if (outcome instanceof LaurelError) throw outcome;
    return outcome;
  }

  #submitWaiting(key: string): void {
    const all = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (let i = 0; i < all.length; i += limits.stepSize) {
      const step = all.slice(i, i + limits.stepSize);
      const inputs = step.map(({ input }) => input);
      this.#submitStep(key, inputs).then(
        (outcomes) => {
          for (const [nth, outcome] of outcomes.entries()) step[nth]?.resolve(outcome);
        },
        (error: unknown) => {
          for (const { reject } of step) reject(error);
        },
      );
    }
  }

  /**
   * Up to `limits.batchSize` scores in order, each with its own outcome; a bad one does not spoil the others.
   * With a block, all in one step that is applied at most once ever (at most `limits.blockSize`).
   */
  async submitAll(key: string, inputs: readonly ScoreInput[], block?: Block): Promise<Scored[]> {
    const most = block ? limits.blockSize : limits.batchSize;
    if (inputs.length > most) {
      throw new LaurelError('BATCH_TOO_LARGE', `${inputs.length} scores were sent; one call takes at most ${most}.`);
    }
    if (block) {
      checkText(block.from, 'block.from', limits.keyBytes);
      checkText(block.to, 'block.to', limits.keyBytes);
      return this.#submitStep(key, inputs, block);
    }
    await this.#boards.get(key);
    const steps: Promise<Scored[]>[] = [];
    for (let i = 0; i < inputs.length; i += limits.stepSize) {
      const step = inputs.slice(i, i + limits.stepSize);
      steps.push(this.#submitStep(key, step).catch((error: unknown) => step.map(() => expected(error))));
    }
    return (await Promise.all(steps)).flat();
  }

  #submitStep(key: string, inputs: readonly ScoreInput[], block?: Block): Promise<Scored[]> {
    return this.#boards.with(key, async (board) => {
      const now = this.#clock();
      const made = inputs.map((input) => attempt(() => makeSubmission(board, input, now)));
      const submissions = made.filter((one): one is Submission => !(one instanceof LaurelError));
      const step = block && blockStep(block, made);
      const outcomes = step || submissions.length > 0 ? await this.#entries.submit(board, submissions, now, step) : [];
      let next = 0;
      return made.map((submission) => {
        if (submission instanceof LaurelError) return submission;
        const outcome = outcomes[next++];
        if (!outcome) throw new Error('the store answered fewer outcomes than it was sent submissions');
        return 'refused' in outcome ? refusal(board, outcome.refused) : withoutSeason(board, submission, outcome);
      });
    });
  }

  /** Gives an entry another sort key, in all current periods of its board; the score stays. */
  async setSortKey(key: string, input: SortKeyInput): Promise<Submitted> {
    if (input.sortKey === undefined && input.sortName === undefined) {
      throw new LaurelError('BAD_INPUT', 'Pass sortKey or sortName.');
    }
    return this.#boards.with(key, async (board) => {
      const now = this.#clock();
      const blank = { score: null, scorePolicy: null, metadata: null, fingerprint: '' };
      const [outcome] = await this.#entries.submit(board, [submissionOf(board, input, blank, { at: now, now })], now);
      if (!outcome) throw new Error('the store answered no outcome');
      if ('refused' in outcome) throw refusal(board, outcome.refused);
      return outcome;
    });
  }

  /** Takes a member out of one period, or of all that still accept scores. */
  removeEntry(
    key: string,
    memberId: string,
    periodKey: string | null,
  ): Promise<{ board: Leaderboard; removals: Removal[] }> {
    checkMemberId(memberId);
    return this.#boards.with(key, async (board) => {
      const now = this.#clock();
      const open = (period: Period) => ['OPEN', 'GRACE'].includes(stateOf(board, period, now));
      const periods = periodKey === null ? await this.#periods(board) : [getPeriod(board, periodKey)];
      if (periodKey !== null && !periods.every(open)) {
        throw new LaurelError('PERIOD_CLOSED', `Period ${periodKey} is closed; its entries are final.`);
      }
      const chosen = periods.filter(open).map((period) => period.key);
      return { board, removals: await this.#entries.removeEntry(board, memberId, chosen, { now, evenClosed: false }) };
    });
  }

  /** Takes a member out of every period of every board; returns how many entries went. */
  async removeMember(memberId: string): Promise<number> {
    checkMemberId(memberId);
    let removed = 0;
    for await (const { key } of this.#boards.all()) {
      removed += await this.#boards.with(key, async (board) => {
        const periods = await this.#periodKeys(board);
        const options = { now: this.#clock(), evenClosed: true };
        return (await this.#entries.removeEntry(board, memberId, periods, options)).length;
      });
    }
    return removed;
  }

  async #periodKeys(board: Leaderboard): Promise<readonly string[]> {
    const [keys] = await this.#entries.read(board, [{ period: 'all', read: { kind: 'periods' } }]);
    return keys;
  }

  async #periods(board: Leaderboard): Promise<Period[]> {
    return (await this.#periodKeys(board)).flatMap((key) => findPeriod(board, key) ?? []);
  }
}

function makeSubmission(board: Leaderboard, input: ScoreInput, now: number): Submission {
  const { scorePolicy = null } = input;
  if (scorePolicy === 'SUM' && board.maxEntries !== null) {
    throw new LaurelError('BAD_INPUT', 'A capped leaderboard takes no sums: one that fell out would begin anew.');
  }
  const { memberId, score, occurredAt, sortKey, sortName, metadata } = input;
  const own = {
    score: parseScore(score, board.scoreScale),
    scorePolicy,
    metadata: metadata === undefined ? null : checkJson(metadata, 'metadata', limits.metadataBytes),
    fingerprint:
      input.idempotencyKey === undefined
        ? ''
        : JSON.stringify([memberId, score, scorePolicy, occurredAt, sortKey, sortName, metadata]),
  };
  return submissionOf(board, input, own, { at: occurredAt ?? now, now });
}

/** A submission of a score, or only of a sort key. */
function submissionOf(
  board: Leaderboard,
  input: Omit<ScoreInput, 'score'>,
  { score, scorePolicy, metadata, fingerprint }: Pick<Submission, 'score' | 'scorePolicy' | 'metadata' | 'fingerprint'>,
  { at, now }: { at: number; now: number },
): Submission {
  const { idempotencyKey = null } = input;
  if (idempotencyKey !== null) checkText(idempotencyKey, 'idempotencyKey', limits.idempotencyKeyBytes);
  if (at > now + limits.clockSkewMs) {
    throw new LaurelError('OCCURRED_IN_FUTURE', 'occurredAt lies in the future; send it when it has happened.');
  }
  if (!(at >= earliestInstant && at <= latestInstant)) {
    throw new LaurelError('BAD_INPUT', 'occurredAt must lie between the years 1 and 8900.');
  }
  return {
    id: crypto.randomUUID(),
    memberId: checkMemberId(input.memberId),
    score,
    scorePolicy,
    sortPrefix: sortPrefix(board, input),
    metadata,
    occurredAt: at,
    periods: board.cadences.flatMap((cadence) => boardPeriodAt(board, cadence, at) ?? []),
    idempotencyKey,
    fingerprint,
  };
}

/** A block remembers every row: one refused before the store saw it is not taken for applied when it comes again. */
function blockStep(block: Block, made: readonly (Submission | LaurelError)[]): BlockStep {
  const positions = made.flatMap((one, i) => (one instanceof LaurelError ? [] : [i + 1]));
  const refused = made.flatMap((one, i) => (one instanceof LaurelError ? [[i + 1, one.code] as const] : []));
  return { ...block, rows: made.length, positions, refused };
}

/** Says so where no season holds the event time. */
function withoutSeason(board: Leaderboard, { periods }: Submission, outcome: Submitted): Submitted {
  const lacks = board.cadences.includes('SEASON') && !periods.some(({ cadence }) => cadence === 'SEASON');
  if (!lacks) return outcome;
  return { ...outcome, skipped: [...outcome.skipped, { period: null, cadence: 'SEASON', code: 'NO_SEASON' }] };
}

function attempt<T>(make: () => T): T | LaurelError {
  try {
    return make();
  } catch (error) {
    return expected(error);
  }
}

function expected(error: unknown): LaurelError {
  if (error instanceof LaurelError) return error;
  throw error;
}

function refusal(board: Leaderboard, code: LaurelError['code']): LaurelError {
  const messages: Partial<Record<LaurelError['code'], string>> = {
    SCORE_OUT_OF_RANGE: `The score, or the sum it would make, leaves what leaderboard ${board.key} accepts.`,
    IDEMPOTENCY_CONFLICT: 'This idempotency key was used with other arguments; every submission needs its own.',
  };
  return new LaurelError(code, messages[code] ?? code);
}
