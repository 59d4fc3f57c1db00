import { isErrorCode, LaurelError } from '../core/errors.ts';
import { closesAt, type Leaderboard, scoreBounds } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import { emptyPrefix } from '../core/order.ts';
import type { Period } from '../core/period.ts';
import type { LiveEntryStore, ReadAnswers } from '../core/ports.ts';
import type { PeriodRead } from '../core/reading.ts';
import type { BlockStep, Outcome, Removal, Submission, Submitted } from '../core/submission.ts';
import type { DataConnection } from './connection.ts';
import { runFenced } from './fenced.ts';
import { channels, keys, periodKeys } from './keys.ts';
import { decodeHeads, decodeReplies, encodeReads } from './reading.ts';
import type { ScriptName } from './scripts.ts';

/** A board's entries in Redis: each method is one script, one round trip. */
export class RedisEntries implements LiveEntryStore {
  readonly #connection: DataConnection;

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  #run(name: ScriptName, board: Leaderboard, moreKeys: string[], args: string[]): Promise<unknown[]> {
    return runFenced(this.#connection, name, board, moreKeys, args);
  }

  async submit(
    board: Leaderboard,
    submissions: readonly Submission[],
    now: number,
    block?: BlockStep,
  ): Promise<Outcome[]> {
    const periods = [...new Map(submissions.flatMap((s) => s.periods.map((p) => [p.key, p]))).values()];
    const { request, idempotencyKeys } = encodeSubmissions(board, submissions, periods, now, block);
    const [status, text] = await this.#run(
      'submit',
      board,
      [
        keys.log(board.key),
        keys.periods(board.key),
        keys.blocks(board.key),
        keys.open(board.key),
        keys.closed(board.key),
        ...periods.flatMap((period) => periodKeys(board.key, period.key)),
        ...idempotencyKeys,
      ],
      [channels.board(board.key), JSON.stringify(request)],
    );
    if (status === 'BLOCK' && block) return repeatedBlock(submissions, block, JSON.parse(String(text)));
    return list<RawOutcome>(JSON.parse(String(text))).map(decodeOutcome);
  }

  async removeEntry(
    board: Leaderboard,
    memberId: string,
    periods: readonly string[],
    options: { now: number; evenClosed: boolean },
  ): Promise<Removal[]> {
    const request = {
      ...options,
      logLength: limits.logLength,
      rules: encodeRules(board),
      id: crypto.randomUUID(),
      member: memberId,
      periods: periods.map((key) => ({ key })),
    };
    const [status, text] = await this.#run(
      'remove',
      board,
      [keys.log(board.key), ...periods.flatMap((period) => periodKeys(board.key, period))],
      [channels.board(board.key), JSON.stringify(request)],
    );
    if (status === 'CLOSED') throw new LaurelError('PERIOD_CLOSED', `Period ${text} is closed; its entries are final.`);
    return list<Removal>(JSON.parse(String(text)));
  }

  async indexStep(board: Leaderboard, period: string): Promise<boolean> {
    const [, status] = await this.#run(
      'index',
      board,
      [keys.dense(board.key), ...periodKeys(board.key, period)],
      [board.sortOrder, period, String(limits.indexStep)],
    );
    return status === 'MORE';
  }

  async read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>> {
    return (await this.readHeads(board, reads)).answers;
  }

  async readHeads<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R) {
    const periods = [...new Set(reads.map((read) => read.period))];
    const [, heads, replies] = await this.#run(
      'read',
      board,
      [
        keys.periods(board.key),
        keys.dense(board.key),
        keys.closed(board.key),
        ...periods.flatMap((period) => periodKeys(board.key, period)),
      ],
      [JSON.stringify(encodeReads(board, reads, periods))],
    );
    const headOf = decodeHeads(periods, heads);
    return { answers: decodeReplies(board, reads, headOf, replies) as ReadAnswers<R>, heads: headOf };
  }
}

/** Lua's empty table encodes as an object. */
const list = <T>(value: unknown): T[] => (Array.isArray(value) ? value : []);

type RawOutcome = { refused: string } | (Omit<Submitted, 'duplicate'> & { duplicate?: boolean });

function decodeOutcome(raw: RawOutcome): Outcome {
  if ('refused' in raw) {
    if (!isErrorCode(raw.refused)) throw new Error(`submit.lua refused with an unknown code: ${raw.refused}`);
    return { refused: raw.refused };
  }
  return { ...raw, duplicate: raw.duplicate === true, changes: list(raw.changes), skipped: list(raw.skipped) };
}

/** A block sent again answers as the first time, less the details; one with other rows is refused. */
function repeatedBlock(
  submissions: readonly Submission[],
  block: BlockStep,
  record: { to: string; rows: number; refused: unknown },
): Outcome[] {
  if (record.to !== block.to) {
    throw new LaurelError(
      'BLOCK_CONFLICT',
      `A block of ${record.rows} other rows was applied at this place before; only rows after those can be added.`,
      { appliedTo: record.to, appliedRows: record.rows },
    );
  }
  const refused = new Map(list<[number, string]>(record.refused));
  return submissions.map(({ id }, i) => {
    const code = refused.get(block.positions[i] ?? 0);
    return decodeOutcome(code ? { refused: code } : { id, applied: false, duplicate: true, changes: [], skipped: [] });
  });
}

/** What the writing scripts need of a board. */
function encodeRules(board: Leaderboard) {
  return {
    descending: board.sortOrder === 'HIGH_TO_LOW',
    tieBreak: board.tieBreak,
    emptyPrefix: emptyPrefix(board),
    denseRanks: board.denseRanks,
    denseReady: board.denseReady,
    maxEntries: board.maxEntries ?? undefined,
    scorePolicy: board.scorePolicy,
    backfill: board.backfill,
    ...scoreBounds(board),
  };
}

function encodeSubmissions(
  board: Leaderboard,
  submissions: readonly Submission[],
  periods: readonly Period[],
  now: number,
  block: BlockStep | undefined,
) {
  const places = new Map(periods.map((period, i) => [period.key, i + 1]));
  const idempotencyKeys: string[] = [];
  const request = {
    now,
    logLength: limits.logLength,
    idempotencyTtlMs: limits.idempotencyTtlMs,
    rules: encodeRules(board),
    periods: periods.map((period) => ({
      key: period.key,
      cadence: period.cadence,
      startsAt: period.startsAt ?? undefined,
      endsAt: period.endsAt ?? undefined,
      closesAt: closesAt(board, period) ?? undefined,
    })),
    submissions: submissions.map((submission) => ({
      id: submission.id,
      member: submission.memberId,
      score: submission.score ?? undefined,
      sortKey: submission.sortPrefix ?? undefined,
      metadata: submission.metadata ?? undefined,
      policy: submission.scorePolicy ?? undefined,
      at: submission.occurredAt,
      periods: submission.periods.map((period) => places.get(period.key)),
      ...(submission.idempotencyKey !== null && {
        key: idempotencyKeys.push(keys.idempotency(board.key, submission.idempotencyKey)),
        fingerprint: submission.fingerprint,
      }),
    })),
    block,
  };
  return { request, idempotencyKeys };
}
