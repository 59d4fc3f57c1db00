import type { Leaderboard, LeaderboardRules } from '../../src/core/leaderboard.ts';
import { type DefinitionStore, type EntryStore, type ReadAnswers, StaleBoard } from '../../src/core/ports.ts';
import type { PeriodRead } from '../../src/core/reading.ts';
import type { Block, Outcome, Removal, Submission } from '../../src/core/submission.ts';

/** Definitions in memory, and how often each was asked for. */
export class MemoryDefinitions implements DefinitionStore {
  readonly boards = new Map<string, Leaderboard>();
  /** Listed, but gone when they are asked for. */
  readonly ghosts: string[] = [];
  readonly asked: string[] = [];
  readonly forgotten: string[] = [];

  async find(key: string): Promise<Leaderboard | null> {
    this.asked.push(key);
    return this.boards.get(key) ?? null;
  }

  forget(key: string): void {
    this.forgotten.push(key);
  }

  async keys(page: { after: string | null; before: string | null; count: number; fromEnd: boolean }) {
    const { after, before, count, fromEnd } = page;
    const between = [...this.boards.keys(), ...this.ghosts]
      .sort()
      .filter((key) => (after === null || key > after) && (before === null || key < before));
    return fromEnd ? between.slice(Math.max(0, between.length - count)) : between.slice(0, count);
  }

  async count(): Promise<number> {
    return this.boards.size;
  }

  async create(key: string, rules: LeaderboardRules): Promise<Leaderboard> {
    const board = { ...rules, key, version: 1, incarnation: `life of ${key}`, epoch: `epoch of ${key}` };
    this.boards.set(key, board);
    return board;
  }

  async update(board: Leaderboard, rules: LeaderboardRules): Promise<Leaderboard> {
    if (this.boards.get(board.key)?.version !== board.version) throw new StaleBoard();
    const next = { ...board, ...rules, version: board.version + 1 };
    this.boards.set(board.key, next);
    return next;
  }

  async remove(board: Leaderboard): Promise<void> {
    this.boards.delete(board.key);
  }
}

/** Keeps what it is sent, and answers as told. */
export class RecordingEntries implements EntryStore {
  readonly steps: { submissions: readonly Submission[]; now: number; block: Block | undefined }[] = [];
  readonly removals: { memberId: string; periods: readonly string[]; evenClosed: boolean }[] = [];
  /** Periods that hold entries. */
  periods: string[] = [];
  answer: (submission: Submission) => Outcome = ({ id }) => ({
    id,
    applied: true,
    duplicate: false,
    changes: [],
    skipped: [],
  });

  async submit(_: Leaderboard, submissions: readonly Submission[], now: number, block?: Block): Promise<Outcome[]> {
    this.steps.push({ submissions, now, block });
    return submissions.map(this.answer);
  }

  async removeEntry(
    _: Leaderboard,
    memberId: string,
    periods: readonly string[],
    { evenClosed }: { now: number; evenClosed: boolean },
  ): Promise<Removal[]> {
    this.removals.push({ memberId, periods, evenClosed });
    return periods.map((period) => ({
      period,
      version: 2,
      before: { score: '1', ordered: memberId, index: 0, rank: 1 },
    }));
  }

  async indexStep(): Promise<boolean> {
    return false;
  }

  async read<const R extends readonly PeriodRead[]>(_: Leaderboard, reads: R): Promise<ReadAnswers<R>> {
    return reads.map(() => this.periods) as unknown as ReadAnswers<R>;
  }
}
