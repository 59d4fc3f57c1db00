import type { Archive, PeriodRecord } from './archive.ts';
import type { Boards } from './boards.ts';
import { findPeriod, getOwnPeriod } from './calendar.ts';
import { LaurelError } from './errors.ts';
import { closesAt, type Leaderboard } from './leaderboard.ts';
import { limits } from './limits.ts';
import type { ClosedPeriod, Period } from './period.ts';
import { type Clock, type EntryStore, type PeriodStore, StaleBoard } from './ports.ts';

/** What closing tells as it goes. */
export interface ClosingLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface Parts {
  readonly boards: Boards;
  readonly periods: PeriodStore;
  readonly entries: EntryStore;
  readonly archive: Archive;
  readonly clock: Clock;
  readonly log: ClosingLog;
}

/** How often the archive is relieved of what is past its retention. */
const pruneEveryMs = 3_600_000;

/**
 * Closes periods when their time is over (rule T3): freeze, archive in batches by index, check the count, note until
 * when Redis keeps it. Every step is harmless to repeat, so a crash at any point costs no more than the step; a lock
 * spares two processes the same work, and whoever comes next goes on where the other stopped.
 */
export class Closing {
  readonly #parts: Parts;
  readonly #owner = crypto.randomUUID();
  readonly #troubled = new Map<string, string>();
  readonly #pruned = new Map<string, number>();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ends after the step under way. */
  stop(): void {
    this.#stopped = true;
  }

  /** One round over all boards: what should be closed is closed, in the order of its end; what is over is let go. */
  async round(): Promise<void> {
    const { boards, periods, clock, log } = this.#parts;
    // Closing is for ever: a process whose clock is off leaves it to others.
    const skewMs = Math.abs((await periods.storeClock()) - clock());
    if (skewMs > limits.clockSkewMs) {
      log.warn({ skewMs }, "nothing is closed: this process's clock and that of Redis differ too much");
      return;
    }
    for await (const key of boards.keys()) {
      if (this.#stopped) return;
      // One board's trouble is not another's; it is told once, until it is over.
      try {
        await this.#roundOf(key);
        this.#troubled.delete(key);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (this.#troubled.get(key) !== reason)
          log.warn({ leaderboard: key, reason }, 'closing failed; it is tried again');
        this.#troubled.set(key, reason);
      }
    }
  }

  async #roundOf(key: string): Promise<void> {
    const { boards, periods, archive, clock } = this.#parts;
    const now = clock();
    const board = await boards.find(key);
    if (!board) return;
    const due = (await periods.open(board))
      .flatMap((periodKey) => findPeriod(board, periodKey) ?? [])
      .filter((period) => (closesAt(board, period) ?? Number.POSITIVE_INFINITY) <= now)
      .sort((a, b) => (a.endsAt ?? 0) - (b.endsAt ?? 0));
    for (const period of due) {
      if (this.#stopped || (await this.#close(key, period)) === 'HELD') break;
    }
    for (const expired of await periods.expired(board, now)) await periods.release(board, expired, now);
    if (board.archive && board.archiveRetentionSeconds !== null && now - (this.#pruned.get(key) ?? 0) > pruneEveryMs) {
      this.#pruned.set(key, now);
      await archive.prune(board, now - board.archiveRetentionSeconds * 1000);
    }
  }

  /** Closes an ended period by hand, without waiting for the rest of its grace. */
  async closeNow(key: string, periodKey: string): Promise<{ board: Leaderboard; period: Period }> {
    const board = await this.#parts.boards.get(key);
    const period = getOwnPeriod(board, periodKey);
    if (period.endsAt === null || this.#parts.clock() < period.endsAt) {
      throw new LaurelError(
        'PERIOD_NOT_ENDED',
        `Period ${periodKey} has not ended; only what has ended can be closed.`,
      );
    }
    const outcome = await this.#close(key, period);
    if (outcome === 'HELD') {
      throw new LaurelError('BACKFILL_HELD', `Leaderboard ${key} is under a backfill hold; release it first.`);
    }
    if (outcome === 'BUSY') {
      throw new LaurelError(
        'LEADERBOARD_CHANGED',
        `Period ${periodKey} is being closed by another process; look again.`,
      );
    }
    return { board, period };
  }

  /** HELD under a backfill; BUSY where another process is at it. */
  async #close(key: string, period: Period): Promise<'DONE' | 'HELD' | 'BUSY'> {
    const { boards, periods } = this.#parts;
    return boards.with(key, async (board) => {
      if (!(await periods.lock(board, period.key, this.#owner))) return 'BUSY';
      const closed = await periods.freeze(board, period.key, this.#parts.clock());
      if (closed === 'HELD') {
        await periods.unlock(board, period.key);
        return 'HELD';
      }
      if (closed.expiresAt === undefined) await this.#finish(board, period, closed);
      await periods.unlock(board, period.key);
      return 'DONE';
    });
  }

  async #finish(board: Leaderboard, period: Period, closed: ClosedPeriod): Promise<void> {
    const { periods, archive, clock, log } = this.#parts;
    const known = board.archive ? await archive.find(board, period.key) : null;
    if (known && (known.epoch !== closed.epoch || known.version !== closed.version)) {
      // Redis lost writes since the archive took the period: the archive is the truth, and alone answers from now on.
      const { closedAt, version, epoch, entryCount, revision } = known;
      const truth = { closedAt, version, epoch, entryCount, revision, archived: true, expiresAt: clock() };
      await periods.settle(board, period.key, truth, clock());
      await periods.release(board, period.key, clock());
      return;
    }
    if (board.archive && !known) await this.#archive(board, period, closed);
    const expiresAt = closed.closedAt + board.retentionSeconds * 1000;
    await periods.settle(board, period.key, { ...closed, archived: board.archive, expiresAt, revision: 1 }, clock());
    log.info({ leaderboard: board.key, period: period.key, entries: closed.entryCount }, 'period closed');
  }

  async #archive(board: Leaderboard, period: Period, closed: ClosedPeriod): Promise<void> {
    const { periods, entries, archive, log } = this.#parts;
    const [{ rankMethod = board.rankMethod }] = await entries.read(board, [
      { period: period.key, read: { kind: 'head' } },
    ]);
    const record = recordOf({ ...board, rankMethod }, period, closed);
    for (let next = await archive.begin(record); next < record.entryCount && !this.#stopped; ) {
      const read = pageFrom(next);
      const [{ standings }] = await entries.read(board, [{ period: period.key, read }]);
      if (standings.length === 0) throw new Error(`period ${period.key} of ${board.key} lacks entry ${next}`);
      await archive.append(record, standings);
      next += standings.length;
      if (!(await periods.lock(board, period.key, this.#owner))) throw new StaleBoard();
      const progress = Math.floor((100 * next) / record.entryCount);
      log.info({ leaderboard: board.key, period: period.key, progress }, 'archiving');
    }
    if (this.#stopped) throw new Error('stopped while archiving; another round goes on from here');
    await archive.complete(record);
  }
}

const pageFrom = (offset: number) =>
  ({
    kind: 'page',
    window: { kind: 'all' },
    after: null,
    before: null,
    offset,
    first: limits.archiveBatch,
    last: null,
  }) as const;

function recordOf(board: Leaderboard, period: Period, closed: ClosedPeriod): PeriodRecord {
  const { key, version: _, incarnation, ...rules } = board;
  return {
    board: key,
    incarnation,
    period: period.key,
    cadence: period.cadence,
    startsAt: period.startsAt,
    endsAt: period.endsAt,
    closedAt: closed.closedAt,
    epoch: closed.epoch,
    version: closed.version,
    entryCount: closed.entryCount,
    revision: closed.revision ?? 1,
    rules,
  };
}
