import { inject } from 'vitest';
import type { Archive, PeriodRecord } from '../../src/core/archive.ts';
import { type Leaderboard, type LeaderboardInput, makeRules } from '../../src/core/leaderboard.ts';
import { sortPrefix } from '../../src/core/order.ts';
import { periodOfKey } from '../../src/core/period.ts';
import type { Read } from '../../src/core/reading.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { put, wholePage } from './archived.ts';

export const openLiveStore = () => openRedis(inject('redisUrl'), { warn() {}, info() {} }, () => {});
export type LiveStore = Awaited<ReturnType<typeof openLiveStore>>;

export interface TwinScore {
  readonly memberId: string;
  readonly score: number;
  readonly sortKey: string;
  readonly metadata: string | null;
}

const today = periodOfKey('2026-11-30', 'UTC');
const noon = Date.UTC(2026, 10, 30, 12);

/** A day of a board, once as Redis holds it and once as the archive does. */
export interface Twin {
  readonly board: Leaderboard;
  readonly period: string;
  readonly record: PeriodRecord;
  live(read: Read): Promise<unknown>;
  archived(read: Read): Promise<unknown>;
}

/** Scores into Redis, and copied from there as closing does it. */
export async function makeTwin(
  store: LiveStore,
  archive: Archive,
  input: LeaderboardInput,
  scores: readonly TwinScore[],
): Promise<Twin> {
  if (!today) throw new Error('no such day');
  const key = `twin-${crypto.randomUUID()}`;
  const board = await store.definitions.create(key, makeRules(key, { ...input, cadences: ['DAILY'] }));
  const submissions = scores.map(({ memberId, score, sortKey, metadata }, i) => ({
    ...{ id: `${i}`, memberId, score: String(score), scorePolicy: 'LATEST' as const, metadata },
    sortPrefix: board.tieBreak === 'SORT_KEY' && sortKey !== '' ? sortPrefix(board, { sortKey }) : null,
    // Some of them at the same time, and not in the order of their arrival.
    occurredAt: noon + ((i * 7) % 10),
    ...{ periods: [today], idempotencyKey: null, fingerprint: '' },
  }));
  for (let at = 0; at < submissions.length; at += 50) {
    await store.entries.submit(board, submissions.slice(at, at + 50), noon + 60_000);
  }
  const [page] = await store.entries.read(board, [{ period: today.key, read: wholePage }]);
  const { epoch, version, entryCount } = page.head;
  const { key: _, version: __, incarnation, ...rules } = board;
  const record: PeriodRecord = {
    ...{ board: key, incarnation, period: today.key, cadence: 'DAILY' as const, startsAt: today.startsAt },
    ...{ endsAt: today.endsAt, closedAt: noon, epoch, version, entryCount, revision: 1, rules },
  };
  await put(archive, record, page.standings, 13);
  return {
    board,
    period: today.key,
    record,
    live: async (read) => (await store.entries.read(board, [{ period: today.key, read }]))[0],
    archived: async (read) => (await archive.read(board, [{ period: today.key, read }]))[0],
  };
}
