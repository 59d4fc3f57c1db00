import DataLoader from 'dataloader';
import type { Boards } from '../core/boards.ts';
import { checkCursor } from '../core/cursor.ts';
import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Profile } from '../core/member.ts';
import type { ProfileSource, SettledReads } from '../core/ports.ts';
import type { Answer, PeriodRead, Read } from '../core/reading.ts';
import { atMomentsEnd } from './moment.ts';

interface Waiting {
  readonly board: string;
  readonly request: PeriodRead;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

const momentsEnd = () => new Promise<void>(atMomentsEnd);

/**
 * The reads of one query, or of one event of a subscription. Reads are collected until execution has nothing else to
 * do (a macrotask), then those of one board are answered by one atomic reading (rule P5). Profiles wait until no read
 * is under way: one batch, whatever the shape of the query.
 */
export class RequestScope {
  readonly #boards: Boards;
  readonly #entries: SettledReads;
  readonly #source: ProfileSource;
  /** Made at first use: most events of a subscription ask for no profile. */
  #profiles: DataLoader<string, Profile | null> | null = null;
  readonly #found = new Map<string, Promise<Leaderboard | null>>();
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(boards: Boards, entries: SettledReads, profiles: ProfileSource) {
    this.#boards = boards;
    this.#entries = entries;
    this.#source = profiles;
  }

  /** A board by its key; null where there is none. */
  board(key: string): Promise<Leaderboard | null> {
    const found = this.#found.get(key) ?? this.track(this.#boards.find(key));
    this.#found.set(key, found);
    return found;
  }

  /** A member's profile; null where the source has none or cannot say. */
  profile(memberId: string): Promise<Profile | null> {
    this.#profiles ??= new DataLoader((memberIds) => this.#source.load(memberIds), {
      batchScheduleFn: (dispatch) => void this.#idle().then(dispatch),
    });
    return this.#profiles.load(memberId);
  }

  read<R extends Read>(board: string, period: string, read: R): Promise<Answer<R>> {
    if (this.#waiting.length === 0) atMomentsEnd(() => this.#flush());
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ board, request: { period, read }, resolve, reject });
    });
    return this.track(answer) as Promise<Answer<R>>;
  }

  /** Counts a promise as I/O under way. */
  track<T>(promise: Promise<T>): Promise<T> {
    this.#underWay += 1;
    const done = () => {
      this.#underWay -= 1;
    };
    promise.then(done, done);
    return promise;
  }

  async #idle(): Promise<void> {
    do await momentsEnd();
    while (this.#underWay > 0);
  }

  #flush(): void {
    const byBoard = new Map<string, Waiting[]>();
    for (const waiting of this.#waiting) byBoard.set(waiting.board, [...(byBoard.get(waiting.board) ?? []), waiting]);
    this.#waiting = [];
    for (const [board, reads] of byBoard) void this.#readBoard(board, reads);
  }

  async #readBoard(key: string, all: readonly Waiting[]): Promise<void> {
    try {
      await this.#boards.with(key, async (board) => {
        await this.#requireSameLife(board);
        const reads = all.filter((waiting) => acceptCursors(board, waiting));
        if (reads.length === 0) return;
        const answers = await this.#entries.readSettled(
          board,
          reads.map((waiting) => waiting.request),
        );
        for (const [i, { resolve, reject }] of reads.entries()) {
          const answer = answers[i];
          if (answer instanceof LaurelError) reject(answer);
          else resolve(answer);
        }
      });
    } catch (error) {
      for (const waiting of all) waiting.reject(error);
    }
  }

  /** What this request found out about the board before must mean the same: a board made anew counts in other units. */
  async #requireSameLife({ key, incarnation }: Leaderboard): Promise<void> {
    const found = await this.#found.get(key);
    if (found && found.incarnation !== incarnation) {
      throw new LaurelError('LEADERBOARD_CHANGED', `Leaderboard ${key} was made anew meanwhile; ask again.`);
    }
  }
}

/** A foreign cursor fails its own read alone. */
function acceptCursors(board: Leaderboard, { request: { period, read }, reject }: Waiting): boolean {
  if (read.kind !== 'page') return true;
  try {
    for (const cursor of [read.after, read.before]) if (cursor) checkCursor(cursor, board, period);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}
