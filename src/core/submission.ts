import type { ErrorCode } from './errors.ts';
import type { ScorePolicy } from './leaderboard.ts';
import type { Cadence, Period } from './period.ts';
import type { ScoreText } from './score.ts';

/** A score as a caller sends it. Instants are epoch milliseconds. */
export interface ScoreInput {
  readonly memberId: string;
  readonly score: number;
  /** Overrides the board's policy for this score. */
  readonly scorePolicy?: ScorePolicy | undefined;
  readonly occurredAt?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** A submission ready for the store: exact score, and the periods that contain its event time. */
export interface Submission {
  readonly id: string;
  readonly memberId: string;
  readonly score: ScoreText;
  readonly scorePolicy: ScorePolicy | null;
  readonly occurredAt: number;
  readonly periods: readonly Period[];
  readonly idempotencyKey: string | null;
  /** What must be equal for a retry to be one: everything the caller sent. */
  readonly fingerprint: string;
}

/** Consecutive rows of a file as one step that is applied once: where in the file it begins and ends, by content. */
export interface Block {
  readonly from: string;
  readonly to: string;
}

/** What one submission did to one period. */
export interface Change {
  readonly period: string;
  readonly outcome: 'APPLIED' | 'UNCHANGED';
  readonly late: boolean;
  /** The period's version after this write. */
  readonly version: number;
  readonly score: ScoreText;
  readonly index: number;
  readonly rank: number;
  readonly ties: number;
  readonly total: number;
  readonly previousScore?: ScoreText;
  readonly previousIndex?: number;
  readonly previousRank?: number;
}

export interface Skip {
  readonly period: string;
  readonly cadence: Cadence;
  readonly code: ErrorCode;
}

export interface Submitted {
  readonly id: string;
  readonly applied: boolean;
  readonly duplicate: boolean;
  readonly changes: readonly Change[];
  readonly skipped: readonly Skip[];
}

/** A submission's result, or the code it was refused with. */
export type Outcome = Submitted | { readonly refused: ErrorCode };

/** One member's entry taken out of one period. */
export interface Removal {
  readonly period: string;
  readonly version: number;
  readonly previousScore: ScoreText;
  readonly previousIndex: number;
  readonly previousRank: number;
}
