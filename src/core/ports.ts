import type { BoardEvent, BoardListener } from './events.ts';
import type { Leaderboard, LeaderboardRules } from './leaderboard.ts';
import type { Profile } from './member.ts';
import type { ClosedPeriod } from './period.ts';
import type { Answer, Head, PeriodRead, Read } from './reading.ts';
import type { BlockStep, Outcome, Removal, Submission } from './submission.ts';

/** Epoch milliseconds. */
export type Clock = () => number;

/** The store knows the board otherwise than the caller: it changed, or is gone. Find it again and retry. */
export class StaleBoard extends Error {
  override readonly name = 'StaleBoard';
}

export type ReadAnswers<R extends readonly PeriodRead[]> = {
  [I in keyof R]: R[I] extends { read: infer K extends Read } ? Answer<K> : never;
};

/** Board definitions. `find` answers from memory, which the store keeps fresh. */
export interface DefinitionStore {
  find(key: string): Promise<Leaderboard | null>;
  /** Drops what is remembered of a board, so that the next `find` asks again. */
  forget(key: string): void;
  /** Keys in byte order, after or before one, at most `count`. */
  keys(page: { after: string | null; before: string | null; count: number; fromEnd: boolean }): Promise<string[]>;
  count(): Promise<number>;
  /** Throws LEADERBOARD_EXISTS. */
  create(key: string, rules: LeaderboardRules): Promise<Leaderboard>;
  /** Throws StaleBoard where somebody else changed it first. */
  update(board: Leaderboard, rules: LeaderboardRules): Promise<Leaderboard>;
  remove(board: Leaderboard): Promise<void>;
}

/** Writes and reads of one board. Every method throws StaleBoard when the definition passed is not the current one. */
export interface EntryStore {
  /** One atomic step; with a block, at most once ever. A block that was applied before throws BLOCK_CONFLICT or repeats. */
  submit(board: Leaderboard, submissions: readonly Submission[], now: number, block?: BlockStep): Promise<Outcome[]>;
  removeEntry(
    board: Leaderboard,
    memberId: string,
    periods: readonly string[],
    options: { now: number; evenClosed: boolean },
  ): Promise<Removal[]>;
  /** One bounded step of building a period's dense index; whether more is to do. Harmless to repeat. */
  indexStep(board: Leaderboard, period: string): Promise<boolean>;
  /** All reads at one moment, in one round trip. */
  read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>>;
}

/** Reads where one period's trouble, such as an archive that is away, keeps nobody from the others. */
export interface SettledReads {
  /** As `EntryStore.read`; the answer to a read of a period that cannot be read is a LaurelError. */
  readSettled(board: Leaderboard, reads: readonly PeriodRead[]): Promise<readonly unknown[]>;
}

/** The entry store that holds what lives, and tells with each reading how its periods are held. */
export interface LiveEntryStore extends EntryStore {
  readHeads<const R extends readonly PeriodRead[]>(
    board: Leaderboard,
    reads: R,
  ): Promise<{ answers: ReadAnswers<R>; heads: ReadonlyMap<string, Head> }>;
}

/** The closing of periods, step by step (rule T3). Methods that write throw StaleBoard as the entry store's do. */
export interface PeriodStore {
  /** Periods that were written to and are not closed for good. */
  open(board: Leaderboard): Promise<string[]>;
  /** From now on no submission changes it. HELD under a backfill. */
  freeze(board: Leaderboard, period: string, now: number): Promise<ClosedPeriod | 'HELD'>;
  /** Notes what became of it, and until when Redis keeps it. */
  settle(board: Leaderboard, period: string, closed: ClosedPeriod, now: number): Promise<void>;
  /** Closed periods whose time in Redis is over. */
  expired(board: Leaderboard, now: number): Promise<string[]>;
  release(board: Leaderboard, period: string, now: number): Promise<void>;
  /** Copies a period at a version to `period@version`; false where it has another version by now. */
  snapshot(board: Leaderboard, period: string, version: number, now: number, ttlMs: number): Promise<boolean>;
  /** Whether this owner may close the period now; renews it for one who may already. */
  lock(board: Leaderboard, period: string, owner: string): Promise<boolean>;
  unlock(board: Leaderboard, period: string): Promise<void>;
  /** The store's own time, epoch milliseconds. */
  storeClock(): Promise<number>;
}

export interface ProfileSource {
  /** One answer for each id, in their order; null where there is no profile. */
  load(memberIds: readonly string[]): Promise<(Profile | null)[]>;
}

/** A profile source that Laurel itself writes. */
export interface ProfileStore extends ProfileSource {
  save(profiles: ReadonlyMap<string, Profile>): Promise<void>;
  remove(memberId: string): Promise<void>;
}

export interface EventBus {
  /** Resolves once the store has acknowledged it: whatever is written after that is heard. */
  subscribe(board: string, listener: BoardListener): Promise<() => void>;
}

/** What one step told in a board's log, and its place there. */
export interface Logged {
  readonly id: string;
  readonly events: readonly BoardEvent[];
}

/** What was published of each board, as far back as it is kept. */
export interface EventLog {
  /** After a place, oldest first; `0-0` is before them all. */
  after(board: string, id: string, count: number): Promise<Logged[]>;
  /** Before a place, newest first; null stands for the end. */
  before(board: string, id: string | null, count: number): Promise<Logged[]>;
}
