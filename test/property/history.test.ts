import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import type { Archive } from '../../src/core/archive.ts';
import { Boards } from '../../src/core/boards.ts';
import { boardPeriodAt } from '../../src/core/calendar.ts';
import { Closing } from '../../src/core/closing.ts';
import { History } from '../../src/core/history.ts';
import { closesAt, type Leaderboard } from '../../src/core/leaderboard.ts';
import type { PeriodStore } from '../../src/core/ports.ts';
import { Scoring } from '../../src/core/scoring.ts';
import { findServer } from '../../src/redis/find-server.ts';
import { type PrivateServer, startPrivateServer } from '../../src/redis/private-server.ts';
import { openRedis } from '../../src/redis/redis.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const silent = { info: () => {}, warn: () => {} };

/** The length of the simulation; LAUREL_YEARS=3 is the whole of it. */
const years = Number(process.env.LAUREL_YEARS ?? 0.5);
const seed = Number(process.env.LAUREL_SEED ?? Date.now() % 1_000_000);

/** A small seeded generator (mulberry32), so that a failure can be played again. */
function random(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let folder: string;
let server: PrivateServer;
let redis: Awaited<ReturnType<typeof openRedis>>;
let archive: Archive;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'laurel-history-'));
  const found = findServer(process.env.PATH ?? '');
  if (!found) throw new Error('a redis-server is needed');
  server = await startPrivateServer({ binary: found.binary, dataDir: folder });
  redis = await openRedis(server.socketPath, silent, () => {});
  archive = await openArchive({ url: null, dataDir: folder });
});

afterAll(async () => {
  await archive.close();
  await redis.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** What every period should hold, kept as plainly as possible. */
class Oracle {
  readonly periods = new Map<string, { closes: number | null; scores: Map<string, number> }>();

  add(board: Leaderboard, memberId: string, score: number, at: number, now: number): void {
    for (const cadence of board.cadences) {
      const period = boardPeriodAt(board, cadence, at);
      if (!period) continue;
      const closes = closesAt(board, period);
      if (closes !== null && now >= closes) continue;
      const held = this.periods.get(period.key) ?? { closes, scores: new Map() };
      this.periods.set(period.key, held);
      held.scores.set(memberId, (held.scores.get(memberId) ?? 0) + score);
    }
  }

  /** Best first; equal scores by descending id: [member, score, competition rank]. */
  standings(key: string): [string, number, number][] {
    const all = [...(this.periods.get(key)?.scores ?? [])].sort(
      ([a, x], [b, y]) => y - x || Buffer.compare(Buffer.from(b), Buffer.from(a)),
    );
    return all.map(([member, score]) => [member, score, all.findIndex(([, other]) => other === score) + 1]);
  }
}

/** A period store that fails at its so-manieth call from now, as a process does that is killed there. */
function crashing(store: PeriodStore, clock: () => number) {
  let calls = Number.POSITIVE_INFINITY;
  const proxy = new Proxy(store, {
    get(target, name) {
      if (name === 'storeClock') return async () => clock();
      const method = Reflect.get(target, name);
      return (...args: unknown[]) => {
        calls -= 1;
        if (calls < 0) throw new Error('killed');
        return Reflect.apply(method, target, args);
      };
    },
  });
  return {
    store: proxy,
    killAfter: (count: number) => {
      calls = count;
    },
    revive: () => {
      calls = Number.POSITIVE_INFINITY;
    },
  };
}

describe(`T2 T3 T4: ${years} years of a board, seed ${seed}`, () => {
  it('ends with every period as an oracle has it, whatever crashed on the way', { timeout: 3_600_000 }, async () => {
    const next = random(seed);
    const below = (n: number) => Math.floor(next() * n);
    let now = Date.UTC(2023, 9, 20, 3);
    const clock = () => now;
    const boards = new Boards(redis.definitions);
    const entries = new History(redis.entries, archive);
    const scoring = new Scoring(boards, entries, clock);
    const crash = crashing(redis.periods, clock);
    const parts = { boards, periods: crash.store, entries, archive, clock, log: silent };
    let closing = new Closing(parts);
    const cadences = ['ALL_TIME', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'SEASON'] as const;
    const season = (i: number) => {
      const startsAt = now + i * 61 * dayMs;
      return { key: `season-${i}`, startsAt, endsAt: startsAt + 50 * dayMs };
    };
    const seasons = Array.from({ length: Math.ceil((years * 366) / 61) }, (_, i) => season(i));
    const rules = { scorePolicy: 'SUM', timeZone: 'Europe/Zurich', graceSeconds: 36 * 3600 } as const;
    const retentionSeconds = 40 * 24 * 3600;
    const board = await boards.create('years', { ...rules, cadences, seasons, retentionSeconds });
    const oracle = new Oracle();
    let refused = 0;
    const end = now + years * 366 * dayMs;
    for (let step = 0; now < end; step += 1) {
      now += 6 * hourMs + below(hourMs);
      const inputs = Array.from({ length: 12 }, () => ({
        memberId: `u:${below(2_000)}`,
        score: below(50) - 5,
        occurredAt: now - below(4) * below(30) * hourMs,
      }));
      const outcomes = await scoring.submitAll('years', inputs);
      for (const outcome of outcomes) refused += 'skipped' in outcome ? outcome.skipped.length : 0;
      for (const { memberId, score, occurredAt } of inputs) oracle.add(board, memberId, score, occurredAt, now);
      if (step % 60 === 30) crash.killAfter(below(12));
      await closing.round().catch(() => {});
      if (step % 60 === 33) {
        // Another process takes over once the dead one's lock has run out.
        crash.revive();
        for (const period of await redis.periods.open(board)) await redis.periods.unlock(board, period);
        closing = new Closing(parts);
      }
    }
    // Everything closes; then everything leaves Redis.
    for (const days of [400, 41]) {
      now += days * dayMs;
      await closing.round();
    }
    expect(refused).toBeGreaterThan(0);
    expect(await redis.periods.open(board)).toEqual([]);
    expect(await redis.periods.expired(board, now)).toEqual([]);
    for (const key of oracle.periods.keys()) {
      const seen: [string, number, number][] = [];
      for (let offset = 0; ; offset += 500) {
        const read = {
          kind: 'page',
          window: { kind: 'all' },
          after: null,
          before: null,
          offset,
          first: 500,
          last: null,
        } as const;
        const [{ standings, high }] = await entries.read(board, [{ period: key, read }]);
        for (const { memberId, score, competitionRank } of standings) {
          seen.push([memberId, Number(score), competitionRank]);
        }
        if (seen.length >= high) break;
      }
      expect(seen, key).toEqual(oracle.standings(key));
    }
    // What closed long ago has left Redis altogether.
    for (const key of oracle.periods.keys()) {
      const [head] = await redis.entries.read(board, [{ period: key, read: { kind: 'head' } }]);
      expect(head.held, key).toBe(key === 'all');
    }
  });
});
