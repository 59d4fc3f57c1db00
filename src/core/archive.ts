import type { Leaderboard, LeaderboardRules } from './leaderboard.ts';
import type { Cadence } from './period.ts';
import type { ReadAnswers } from './ports.ts';
import type { PeriodRead } from './reading.ts';
import type { ScoreText } from './score.ts';
import type { Standing } from './standing.ts';

/** What the archive knows of one closed period. Instants are epoch milliseconds. */
export interface PeriodRecord {
  readonly board: string;
  readonly incarnation: string;
  readonly period: string;
  readonly cadence: Cadence;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly closedAt: number;
  /** Epoch and version of the period when it was frozen: cursors made then go on working. */
  readonly epoch: string;
  readonly version: number;
  readonly entryCount: number;
  /** 1 as closed; +1 for each correction. */
  readonly revision: number;
  /** The board's rules as they were: what its ranks mean. */
  readonly rules: LeaderboardRules;
}

/** One period of a member's career. */
export interface CareerEntry {
  readonly record: PeriodRecord;
  readonly standing: Standing;
}

/**
 * Final standings and period records in SQL. A record is written in three steps, each harmless to repeat: `begin`,
 * `append` in batches by index, `complete`, which checks the count. Nothing of a record is read before it is complete.
 * Of several revisions the latest complete one is read, unless a period is named `key~revision`.
 */
export interface Archive {
  /** The index of the next standing that is wanted: 0 for a new record, `entryCount` when all are there. */
  begin(record: PeriodRecord): Promise<number>;
  /** Standings in board order; those already there are left as they are. */
  append(record: PeriodRecord, standings: readonly Standing[]): Promise<void>;
  /** Throws where the count is not the record's. */
  complete(record: PeriodRecord): Promise<void>;
  /** The record of a period of this life of the board; null where there is none complete. */
  find(board: Leaderboard, period: string): Promise<PeriodRecord | null>;
  /** Latest complete revisions of a board's periods, latest end first; of one cadence if given. */
  records(board: Leaderboard, cadence: Cadence | null): Promise<PeriodRecord[]>;
  /** The same reads with the same answers as the live store gives, for archived periods. */
  read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>>;
  /** A member's places in the archived periods of a cadence, latest first, at most `count`. */
  career(board: Leaderboard, memberId: string, cadence: Cadence, count: number): Promise<CareerEntry[]>;
  /** A new revision in which a member has another score, or none (null). The older ones stay. One transaction. */
  correct(
    board: Leaderboard,
    period: string,
    memberId: string,
    score: ScoreText | null,
    now: number,
  ): Promise<PeriodRecord>;
  /** Deletes what was closed before an instant. Returns how many records went. */
  prune(board: Leaderboard, before: number): Promise<number>;
  /** Deletes all of one life of a board. */
  removeBoard(incarnation: string): Promise<void>;
  close(): Promise<void>;
}
