import type { Before, WrittenEntry } from './submission.ts';

/** What one message says of one period: numbered, so that a reader knows what it missed. */
export interface ChangeEvent {
  readonly period: string;
  readonly version: number;
  readonly outcome: 'APPLIED' | 'REMOVED' | 'EVICTED';
  /** Whose entry, where it is not the event's member: one that fell out of a capped board. */
  readonly member?: string;
  /** Absent where the entry is gone. */
  readonly entry?: WrittenEntry;
  /** Absent where there was none. */
  readonly before?: Before;
  /** True where the entry may have metadata, which no message carries. */
  readonly annotated?: boolean;
}

/** What the writing script logs and publishes on the board's channel, together with others of its step. */
export interface BoardEvent {
  readonly epoch: string;
  /** Submission id. */
  readonly id: string;
  readonly member: string;
  /** Event time, epoch milliseconds. */
  readonly at: number;
  readonly changes: readonly ChangeEvent[];
  /** Set where the message says that a period closed rather than that entries changed. */
  readonly closed?: string;
}

/** What a watcher of a board hears. After a gap anything may have been missed: read again. */
export interface BoardListener {
  event(event: BoardEvent): void;
  gap(): void;
}
