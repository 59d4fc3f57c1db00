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
  readonly sortKey?: string | undefined;
  readonly sortName?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Another sort key for an entry, without a score. */
export type SortKeyInput = Pick<ScoreInput, 'memberId' | 'sortKey' | 'sortName'>;

/** A submission ready for the store: exact score, and the periods that contain its event time. */
export interface Submission {
  readonly id: string;
  readonly memberId: string;
  /** Null: the score stays, only the sort key may change. */
  readonly score: ScoreText | null;
  readonly scorePolicy: ScorePolicy | null;
  /** The tie-break prefix asked for; null: the entry keeps what it has. */
  readonly sortPrefix: string | null;
  /** JSON. */
  readonly metadata: string | null;
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

/** A block with where each submission stands among its rows (from 1), and the rows that are none, by position. */
export interface BlockStep extends Block {
  readonly rows: number;
  readonly positions: readonly number[];
  readonly refused: readonly (readonly [position: number, code: ErrorCode])[];
}

/** A place as the writing script counts it: index, competition rank, dense rank where one is kept. */
export interface Place {
  readonly index: number;
  readonly rank: number;
  readonly dense?: number;
}

/** An entry as a write left it. */
export interface WrittenEntry extends Place {
  readonly score: ScoreText;
  /** The member as the sorted set holds it. */
  readonly ordered: string;
  readonly ties: number;
  readonly total: number;
  readonly metadata?: string;
}

/** What was before a write. */
export interface Before extends Place {
  readonly score: ScoreText;
  /** The member as the sorted set held it. */
  readonly ordered: string;
  /** True where nobody has that score any more; told only on boards with an index of distinct scores. */
  readonly dropped?: boolean;
}

/** What one submission did to one period. */
export interface Change {
  readonly period: string;
  readonly outcome: 'APPLIED' | 'UNCHANGED' | 'BELOW_CUT';
  readonly late: boolean;
  /** The period's version after this write. */
  readonly version: number;
  /** Absent where the score did not make the cut of a capped board. */
  readonly entry?: WrittenEntry;
  /** Absent where there was no entry. */
  readonly before?: Before;
}

export interface Skip {
  /** Null where there is none: between seasons. */
  readonly period: string | null;
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
  readonly before: Before;
}
