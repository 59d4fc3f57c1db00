import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import type { ClosedPeriod } from '../core/period.ts';
import type { PeriodStore } from '../core/ports.ts';
import type { DataConnection } from './connection.ts';
import { asList, runFenced } from './fenced.ts';
import { keys, periodKeys } from './keys.ts';

/** How long a process may be silent before another one takes over what it was closing. */
const closingLockMs = 15_000;

/** The closing of periods in Redis: each step is one script, harmless to repeat. */
export class RedisPeriods implements PeriodStore {
  readonly #connection: DataConnection;

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  open(board: Leaderboard): Promise<string[]> {
    return this.#connection.command((redis) => redis.smembers(keys.open(board.key)));
  }

  async freeze(board: Leaderboard, period: string, now: number): Promise<ClosedPeriod | 'HELD'> {
    const [status, text] = await runFenced(
      this.#connection,
      'freeze',
      board,
      [keys.log(board.key), keys.closed(board.key), ...periodKeys(board.key, period)],
      [period, now],
    );
    return status === 'HELD' ? status : JSON.parse(String(text));
  }

  async settle(board: Leaderboard, period: string, closed: ClosedPeriod, now: number): Promise<void> {
    const expiresAt = closed.expiresAt ?? now;
    await runFenced(
      this.#connection,
      'settle',
      board,
      [keys.open(board.key), keys.closed(board.key), keys.kept(board.key), ...periodKeys(board.key, period)],
      [period, JSON.stringify(closed), expiresAt, Math.max(1, expiresAt - now)],
    );
  }

  expired(board: Leaderboard, now: number): Promise<string[]> {
    return this.#connection.command((redis) => redis.zrangebyscore(keys.kept(board.key), '-inf', now));
  }

  async release(board: Leaderboard, period: string, now: number): Promise<void> {
    await this.#connection.script(
      'release',
      [keys.kept(board.key), ...periodKeys(board.key, period)],
      [period, now],
      asList,
    );
  }

  async snapshot(board: Leaderboard, period: string, version: number, now: number, ttlMs: number): Promise<boolean> {
    const [status, value] = await runFenced(
      this.#connection,
      'snapshot',
      board,
      [keys.kept(board.key), ...periodKeys(board.key, period), ...periodKeys(board.key, `${period}@${version}`)],
      [limits.snapshotEntries, ttlMs, version, now, `${period}@${version}`],
    );
    if (status === 'LARGE') {
      throw new LaurelError(
        'PERIOD_TOO_LARGE',
        `The period has ${value} entries; a copy in one step may have ${limits.snapshotEntries}. Read a closed period, or page and watch for drift.`,
      );
    }
    return status === 'OK';
  }

  async lock(board: Leaderboard, period: string, owner: string): Promise<boolean> {
    const key = keys.closing(board.key, period);
    return this.#connection.command(async (redis) => {
      if ((await redis.set(key, owner, 'PX', closingLockMs, 'NX')) === 'OK') return true;
      if ((await redis.get(key)) !== owner) return false;
      await redis.pexpire(key, closingLockMs);
      return true;
    });
  }

  async unlock(board: Leaderboard, period: string): Promise<void> {
    await this.#connection.command((redis) => redis.del(keys.closing(board.key, period)));
  }

  async storeClock(): Promise<number> {
    const [seconds = 0, micros = 0] = await this.#connection.ofAny((redis) => redis.time());
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }
}
