import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import type { LiveEntryStore, ReadAnswers } from '../core/ports.ts';
import type { PeriodRead } from '../core/reading.ts';
import type { BlockStep, Outcome, Removal, Submission } from '../core/submission.ts';
import { decodeRemoval, type RawChange } from './changes.ts';
import type { DataConnection } from './connection.ts';
import { fenced, runFenced } from './fenced.ts';
import { keys, periodKeys } from './keys.ts';
import { decodeReading, encodeReads } from './reading.ts';
import type { ScriptName } from './scripts.ts';
import { type Reading, SharedReads } from './shared-reads.ts';
import { decodeOutcomes, encodeSubmissions, periodsOf, periodText, repeatedBlock } from './submissions.ts';

/** A board's entries in Redis: each method is one script, one round trip. */
export class RedisEntries implements LiveEntryStore {
  readonly #connection: DataConnection;
  readonly #reads = new SharedReads((board, reads) => this.#read(board, reads));

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  #run(name: ScriptName, board: Leaderboard, moreKeys: readonly string[], args: readonly string[]) {
    return runFenced(this.#connection, name, board, moreKeys, args);
  }

  async submit(
    board: Leaderboard,
    submissions: readonly Submission[],
    now: number,
    block?: BlockStep,
  ): Promise<Outcome[]> {
    const periods = periodsOf(submissions);
    const { texts, idempotencyKeys } = encodeSubmissions(board, submissions, periods);
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
      [
        String(now),
        block ? JSON.stringify(block) : '',
        String(periods.length),
        ...periods.map((period) => periodText(board, period)),
        ...texts,
      ],
    );
    if (status === 'BLOCK' && block) return repeatedBlock(submissions, block, String(text));
    return decodeOutcomes(submissions, String(text));
  }

  async removeEntry(
    board: Leaderboard,
    memberId: string,
    periods: readonly string[],
    options: { now: number; evenClosed: boolean },
  ): Promise<Removal[]> {
    const request = {
      ...options,
      now: String(options.now),
      id: crypto.randomUUID(),
      member: memberId,
      periods: periods.map((key) => ({ key })),
    };
    const [status, text] = await this.#run(
      'remove',
      board,
      [keys.log(board.key), ...periods.flatMap((period) => periodKeys(board.key, period))],
      [JSON.stringify(request)],
    );
    if (status === 'CLOSED') throw new LaurelError('PERIOD_CLOSED', `Period ${text} is closed; its entries are final.`);
    const changes: RawChange<'REMOVED'>[] = JSON.parse(String(text));
    return changes.map((change) => decodeRemoval(change, memberId));
  }

  async indexStep(board: Leaderboard, period: string): Promise<boolean> {
    const [, status] = await this.#run(
      'index',
      board,
      [keys.dense(board.key), ...periodKeys(board.key, period)],
      [period, String(limits.indexStep)],
    );
    return status === 'MORE';
  }

  read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>> {
    return this.readHeads(board, reads).then(({ answers }) => answers);
  }

  readHeads<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<Reading<ReadAnswers<R>>> {
    return this.#reads.read(board, reads) as Promise<Reading<ReadAnswers<R>>>;
  }

  #read(board: Leaderboard, reads: readonly PeriodRead[]): Promise<Reading> {
    const periods = distinctPeriods(reads);
    return fenced(
      this.#connection,
      'read',
      board,
      ({ forReads }) => encodeReads(board, forReads, reads, periods),
      (reply) => decodeReading(board, reads, periods, String(reply)),
    );
  }
}

function distinctPeriods(reads: readonly PeriodRead[]): readonly string[] {
  const [first] = reads;
  return first && reads.length === 1 ? [first.period] : [...new Set(reads.map(({ period }) => period))];
}
