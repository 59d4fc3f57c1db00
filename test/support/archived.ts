import type { Archive, PeriodRecord } from '../../src/core/archive.ts';
import { type Leaderboard, type LeaderboardInput, makeRules } from '../../src/core/leaderboard.ts';
import { decodeOrdered } from '../../src/core/order.ts';
import type { PageRead } from '../../src/core/reading.ts';
import type { Standing } from '../../src/core/standing.ts';

/** A board of the test's own, in no store. */
export function newBoard(input: LeaderboardInput = {}): Leaderboard {
  const id = crypto.randomUUID();
  return { ...makeRules(`test-${id}`, input), key: `test-${id}`, version: 1, incarnation: `life-${id}`, epoch: 'e' };
}

export interface Entry {
  readonly ordered: string;
  readonly score: number | string;
  readonly metadata?: string;
}

/** Final standings as they should be, naively: sorted by bytes, ranked by counting. */
export function standingsOf(board: Leaderboard, entries: readonly Entry[]): Standing[] {
  const sign = board.sortOrder === 'HIGH_TO_LOW' ? -1 : 1;
  const value = ({ score }: Entry) => BigInt(score);
  const byScore = (a: Entry, b: Entry) => (value(a) < value(b) ? -sign : value(a) > value(b) ? sign : 0);
  const byBytes = (a: Entry, b: Entry) => sign * Buffer.compare(Buffer.from(a.ordered), Buffer.from(b.ordered));
  const order = entries.toSorted((a, b) => byScore(a, b) || byBytes(a, b));
  return order.map((entry, index) => {
    const better = order.filter((other) => byScore(other, entry) < 0);
    return {
      ...decodeOrdered(board, entry.ordered),
      ordered: entry.ordered,
      score: String(entry.score),
      index,
      competitionRank: better.length + 1,
      tieCount: order.filter((other) => byScore(other, entry) === 0).length,
      denseRank: board.denseReady ? new Set(better.map(({ score }) => String(score))).size + 1 : null,
      metadata: entry.metadata ?? null,
    };
  });
}

/** So many entries, a few to each score. */
export const someEntries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, i) => ({ ordered: `m${(i * 7919) % count}`, score: Math.floor(i / 3) }));

const dayMs = 86_400_000;

/** The record of a day, closed an hour after its end. */
export function recordOfDay(board: Leaderboard, day: number, entryCount: number): PeriodRecord {
  const { key, version: _, incarnation, ...rules } = board;
  return {
    board: key,
    incarnation,
    period: new Date(day * dayMs).toISOString().slice(0, 10),
    cadence: 'DAILY',
    startsAt: day * dayMs,
    endsAt: (day + 1) * dayMs,
    closedAt: (day + 1) * dayMs + 3_600_000,
    epoch: 'epoch-1',
    version: entryCount + 5,
    entryCount,
    revision: 1,
    rules,
  };
}

/** Archives what is still wanted, in batches. */
export async function put(
  archive: Archive,
  record: PeriodRecord,
  standings: readonly Standing[],
  size = 1000,
): Promise<void> {
  for (let next = await archive.begin(record); next < standings.length; next += size) {
    await archive.append(record, standings.slice(next, next + size));
  }
  await archive.complete(record);
}

export const wholePage: PageRead = {
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: 0,
  first: 1_000_000,
  last: null,
};

export async function readStandings(
  archive: Archive,
  board: Leaderboard,
  period: string,
): Promise<readonly Standing[]> {
  const [page] = await archive.read(board, [{ period, read: wholePage }]);
  return page.standings;
}
