import type { Cursor } from './cursor.ts';
import type { Standing } from './standing.ts';

/** Which run of a period's entries to return: what the cursors leave, then offset, then the first or last so many. */
export interface PageRead {
  readonly kind: 'page';
  readonly after: Cursor | null;
  readonly before: Cursor | null;
  readonly offset: number;
  /** Exactly one of first and last is set. */
  readonly first: number | null;
  readonly last: number | null;
}

export interface AroundRead {
  readonly kind: 'around';
  readonly memberId: string;
  readonly above: number;
  readonly below: number;
  readonly fill: boolean;
}

export interface EntryRead {
  readonly kind: 'entry';
  readonly memberId: string;
}

/** The period's version and entry count alone. */
export interface HeadRead {
  readonly kind: 'head';
}

/** The board's periods that hold or held entries. */
export interface PeriodsRead {
  readonly kind: 'periods';
}

export type Read = PageRead | AroundRead | EntryRead | HeadRead | PeriodsRead;

/** A period at the moment of a reading. */
export interface Head {
  readonly epoch: string;
  readonly version: number;
  readonly entryCount: number;
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

/** What each kind of read answers. */
export interface Answers {
  readonly page: Page;
  readonly around: Page | null;
  readonly entry: { readonly head: Head; readonly standing: Standing | null };
  readonly head: Head;
  readonly periods: readonly string[];
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
