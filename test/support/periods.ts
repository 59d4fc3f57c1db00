import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../src/archive/archive.ts';
import { Boards } from '../../src/core/boards.ts';
import { Closing } from '../../src/core/closing.ts';
import { History } from '../../src/core/history.ts';
import { Past } from '../../src/core/past.ts';
import type { PageRead } from '../../src/core/reading.ts';
import { Scoring } from '../../src/core/scoring.ts';
import { Seasons } from '../../src/core/seasons.ts';
import { findServer } from '../../src/redis/find-server.ts';
import { startPrivateServer } from '../../src/redis/private-server.ts';
import { openRedis } from '../../src/redis/redis.ts';

const silent = { info: () => {}, warn: () => {} };

/** Laurel's core on a Redis and an archive of its own, with a clock that the test moves. */
export async function openPeriods(start: number) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-periods-'));
  const found = findServer(process.env.PATH ?? '');
  if (!found) throw new Error('a redis-server 7.0 or newer is needed on the PATH');
  const server = await startPrivateServer({ binary: found.binary, dataDir: folder });
  const redis = await openRedis(server.socketPath, silent, () => {});
  const archive = await openArchive({ url: null, dataDir: folder });
  let now = start;
  const clock = () => now;
  const boards = new Boards(redis.definitions);
  const entries = new History(redis.entries, archive);
  let killIn = Number.POSITIVE_INFINITY;
  /** Every call of the store or the archive counts; the one at which the process "dies" and all after it throw. */
  const mortal = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (name === 'storeClock') return async () => now;
        return (...args: unknown[]) => {
          killIn -= 1;
          if (killIn < 0) throw new Error('killed');
          return Reflect.apply(method, target, args);
        };
      },
    });
  const parts = { boards, entries, archive: mortal(archive), periods: mortal(redis.periods), clock, log: silent };
  return {
    socketPath: server.socketPath,
    redis,
    archive,
    boards,
    entries,
    scoring: new Scoring(boards, entries, clock),
    seasons: new Seasons(boards, clock),
    past: new Past(boards, redis.periods, entries, archive, clock),
    newClosing: () => new Closing(parts),
    /** The process dies at its so-manieth call from now; Infinity: it lives. */
    killIn: (calls: number) => {
      killIn = calls;
    },
    /** Whether the last `killIn` came to it. */
    wasKilled: () => killIn < 0,
    at: (instant: number) => {
      now = instant;
    },
    clock,
    stop: async () => {
      await archive.close();
      await redis.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Periods = Awaited<ReturnType<typeof openPeriods>>;

export const firstPage = (first: number): PageRead => ({
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: 0,
  first,
  last: null,
});
