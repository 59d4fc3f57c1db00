import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Boards } from '../src/core/boards.ts';
import type { Leaderboard, LeaderboardInput } from '../src/core/leaderboard.ts';
import { Scoring } from '../src/core/scoring.ts';
import { findServer } from '../src/redis/find-server.ts';
import { startPrivateServer } from '../src/redis/private-server.ts';
import { openRedis } from '../src/redis/redis.ts';

/** Laurel's own store on a Redis of its own, without HTTP and GraphQL: what the ranking itself costs. */
export async function openStore() {
  const found = findServer(process.env.PATH ?? '');
  if (!found) throw new Error('a redis-server 7.0 or newer is needed on the PATH');
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  const server = await startPrivateServer({ binary: found.binary, dataDir });
  const silent = { info: () => {}, warn: () => {} };
  const redis = await openRedis(server.socketPath, silent, () => {});
  const boards = new Boards(redis.definitions);
  const scoring = new Scoring(boards, redis.entries, Date.now);
  return {
    ...redis,
    boards,
    scoring,
    socketPath: server.socketPath,
    create: (key: string, input: LeaderboardInput = {}): Promise<Leaderboard> => boards.create(key, input),
    /** Submits `count` scores through the real script, some batches at a time. */
    fill: async (key: string, count: number, score: (i: number) => number): Promise<void> => {
      const batch = 1_000;
      for (let i = 0; i < count; i += batch) {
        const inputs = Array.from({ length: Math.min(batch, count - i) }, (_, j) => ({
          memberId: memberId(i + j),
          score: score(i + j),
        }));
        await scoring.submitAll(key, inputs);
      }
    },
    stop: async (): Promise<void> => {
      await redis.close();
      await server.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Short ids, as in the memory figures. */
export const memberId = (i: number): string => `u:${i}`;
