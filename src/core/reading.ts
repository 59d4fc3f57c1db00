import type { Cursor } from './cursor.ts';
import type { RankMethod } from './leaderboard.ts';
import type { ClosedPeriod } from './period.ts';
import type { ScoreText } from './score.ts';
import type { Standing } from './standing.ts';

/** The part of a period that a page is cut from. Scores are stored integer text, both ends included. */
export type Window =
  | { readonly kind: 'all' }
  | { readonly kind: 'scores'; readonly minScore: ScoreText | null; readonly maxScore: ScoreText | null }
  | { readonly kind: 'rank'; readonly rank: number };

/** Which run of a window to return: what the cursors leave, then offset, then the first or last so many. */
export interface PageRead {
  readonly kind: 'page';
  readonly window: Window;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
  readonly offset: number;
  /** Exactly one of first and last is set. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Around a member, or around where a score would stand. */
export interface AroundRead {
  readonly kind: 'around';
  readonly centre: { readonly memberId: string } | { readonly score: ScoreText };
  readonly above: number;
  readonly below: number;
  readonly fill: boolean;
}

export interface EntryRead {
  readonly kind: 'entry';
  readonly memberId: string;
}

export interface ListRead {
  readonly kind: 'list';
  readonly memberIds: readonly string[];
}

/** Where a score would stand. */
export interface PositionRead {
  readonly kind: 'position';
  readonly score: ScoreText;
}

export interface HistogramRead {
  readonly kind: 'histogram';
  readonly buckets: number;
}

/** The period's version and entry count alone. */
export interface HeadRead {
  readonly kind: 'head';
}

/** The board's periods that hold or held entries. */
export interface PeriodsRead {
  readonly kind: 'periods';
}

/** The board's periods that ever closed. */
export interface ClosedRead {
  readonly kind: 'closed';
}

/** How far the dense index of each period is built: a score it has come to, or DONE. */
export interface IndexingRead {
  readonly kind: 'indexing';
}

/** A hash of the board's, read whole. */
export type HashRead = PeriodsRead | ClosedRead | IndexingRead;

export type Read = PageRead | AroundRead | EntryRead | ListRead | PositionRead | HistogramRead | HeadRead | HashRead;

/** A period at the moment of a reading. */
export interface Head {
  readonly epoch: string;
  readonly version: number;
  readonly entryCount: number;
  /** What is known of it, if it closed. */
  readonly closed: ClosedPeriod | null;
  /** Whether Redis holds it: a closed one may be in the archive alone. */
  readonly held: boolean;
  /** By which its ranks are shown, where that is not the board's of today: as it was when it closed or was copied. */
  readonly rankMethod?: RankMethod | undefined;
}

export interface Page {
  readonly head: Head;
  readonly standings: readonly Standing[];
  /** The window the page was cut from, by index: low included, high not. */
  readonly low: number;
  readonly high: number;
  /** Index of the page's first entry, or where it would be. */
  readonly start: number;
  /** Entries at or before the `after` cursor's place now; null without one. */
  readonly after: number | null;
  /** Entries before the `before` cursor's place now; null without one. */
  readonly before: number | null;
}

/** Where a score would stand: the best place that ties could leave it. */
export interface Position {
  readonly head: Head;
  /** Entries strictly better. */
  readonly better: number;
  /** Entries with this score. */
  readonly ties: number;
  readonly denseRank: number | null;
}

/** Exact counts in ranges of equal width, from the lowest score up; stored integers. */
export interface Histogram {
  readonly lowest: number;
  readonly width: number;
  readonly counts: readonly number[];
}

/** What each kind of read answers. */
export interface Answers {
  readonly page: Page;
  readonly around: Page | null;
  readonly entry: { readonly head: Head; readonly standing: Standing | null };
  readonly list: { readonly head: Head; readonly standings: readonly (Standing | null)[] };
  readonly position: Position;
  /** Null where the period has no entries. */
  readonly histogram: Histogram | null;
  readonly head: Head;
  readonly periods: readonly string[];
  readonly closed: ReadonlyMap<string, ClosedPeriod>;
  readonly indexing: ReadonlyMap<string, string>;
}

export type Answer<R extends Read> = Answers[R['kind']];

/** One read of one period (the period is not looked at for kind `periods`). */
export interface PeriodRead {
  readonly period: string;
  readonly read: Read;
}

/**
 * Whether anything changed since a page's cursor, and the net number of entries that crossed it: into what the reader
 * had already seen (positive) or out of it (negative). After an epoch change nobody can tell: changed, no drift (P4).
 */
export function driftOf(page: Page, read: PageRead): { changed: boolean; drift: number | null } {
  const cursor = read.after ?? read.before;
  if (!cursor) return { changed: false, drift: 0 };
  if (cursor.epoch !== page.head.epoch) return { changed: true, drift: null };
  const changed = cursor.version !== page.head.version;
  const drift = read.after ? (page.after ?? 0) - (cursor.index + 1) : cursor.index - (page.before ?? 0);
  return { changed, drift: changed ? drift : 0 };
}
