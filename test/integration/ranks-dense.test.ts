import { describe, expect, it } from 'vitest';
import { clockedApp, release } from '../support/clocked-app.ts';
import { mutate, mutationCode, readBoard, readPage, readPeriod, walkPages } from '../support/period-reader.ts';

interface Node {
  readonly memberId: string;
  readonly score: number;
  readonly denseRank: number | null;
}

const app = clockedApp();

/** Dense ranks of the first entries of a board, counted from their scores alone. */
function naiveDense(nodes: readonly { score: number }[]): number[] {
  const distinct: number[] = [];
  return nodes.map(({ score }) => {
    if (distinct.at(-1) !== score) distinct.push(score);
    return distinct.length;
  });
}

const reader = (key: string) => (page: Record<string, unknown>) =>
  readPage<Node>(app.api, key, page, 'memberId score denseRank');

const progressOf = async (key: string) =>
  (await readBoard<{ denseProgress: number | null }>(app.api, key, 'denseProgress')).denseProgress;

/** Scores of many members, no two alike. */
async function fill(key: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: Math.min(1000, count - from) }, (_, i) => from + i);
    await app.api.scores(key, Object.fromEntries(some.map((i) => [`m${i}`, i])));
  }
}

describe('rule R4: dense ranks on a board that has entries', () => {
  it('are null until the index is complete, and then right, while writes go on', async () => {
    const key = await app.api.createBoard({ scorePolicy: 'LATEST' });
    await fill(key, 20_000);
    expect(await progressOf(key)).toBeNull();
    let writing = true;
    let written = 0;
    const write = async (nth: number) => {
      for (; writing; written += 1) {
        // From the top, which is built first, and from all over, to scores held by others, by nobody, and by nobody any more.
        const from = nth === 1 ? 19_999 - (written % 1000) : (written * 7919) % 20_000;
        await app.api.score(key, `m${from}`, ((written * 104_729) % 24_000) - 2_000);
      }
    };
    const writers = [write(1), write(2)];
    const { leaderboard } = await mutate<{ leaderboard: { denseRanks: boolean; denseProgress: number } }>(
      app.api,
      'updateLeaderboard',
      { key, denseRanks: true },
      'leaderboard { denseRanks denseProgress }',
    );
    expect(leaderboard.denseRanks).toBe(true);
    const seen = [leaderboard.denseProgress];
    try {
      while (seen.at(-1) !== 1) {
        const { denseProgress, period } = await readBoard<{
          denseProgress: number;
          period: { entries: { nodes: Node[] } };
        }>(
          app.api,
          key,
          'denseProgress period(key: "all") { entries(first: 100) { nodes { memberId score denseRank } } }',
        );
        seen.push(denseProgress);
        const { nodes } = period.entries;
        const shown = nodes.map(({ denseRank }) => denseRank);
        if (shown.some((rank) => rank !== null)) expect(shown).toEqual(naiveDense(nodes));
      }
    } finally {
      writing = false;
      await Promise.all(writers);
    }
    expect(seen[0]).toBeLessThan(1);
    expect(written).toBeGreaterThan(10);
    const all = (await walkPages(reader(key), 100)).map(({ node }) => node);
    expect(all).toHaveLength(20_000);
    expect(all.map(({ denseRank }) => denseRank)).toEqual(naiveDense(all));
    // In the middle of the board too, and for a score that nobody has.
    const { rankOf } = await readPeriod<{ rankOf: object }>(app.api, key, 'rankOf(score: -5000) { denseRank }');
    expect(rankOf).toEqual({ denseRank: new Set(all.map(({ score }) => score)).size + 1 });
  });

  it('cover every period, also one that closed before', async () => {
    app.at('2026-05-31T12:00:00Z');
    const key = await app.api.createBoard({ cadences: ['MONTHLY', 'YEARLY'] });
    await app.api.scores(key, { a: 5, b: 5, c: 3, d: 1 });
    app.at('2026-06-01T12:00:00Z');
    await app.api.scores(key, { a: 9, e: 5, f: 9 });
    await mutate(app.api, 'closePeriod', { leaderboard: key, period: '2026-05' }, 'period { state }');
    await mutate(app.api, 'updateLeaderboard', { key, denseRanks: true }, 'leaderboard { key }');
    await expect.poll(() => progressOf(key)).toBe(1);
    await mutate(app.api, 'updateLeaderboard', { key, rankMethod: 'DENSE' }, 'leaderboard { rankMethod }');
    const ranks = async (period: string) => {
      const { entries } = await readPeriod<{ entries: { nodes: { rank: number; denseRank: number }[] } }>(
        app.api,
        key,
        'entries { nodes { rank denseRank } }',
        period,
      );
      return entries.nodes.map(({ rank, denseRank }) => [rank, denseRank]);
    };
    const twice = (...all: number[]) => all.map((rank) => [rank, rank]);
    // Its rank stays what it was when it closed.
    expect(await ranks('2026-05')).toEqual([
      [1, 1],
      [1, 1],
      [3, 2],
      [4, 3],
    ]);
    expect(await ranks('2026-06')).toEqual(twice(1, 1, 2));
    expect(await ranks('2026')).toEqual(twice(1, 1, 2, 2, 3, 4));
  });

  it('do not wait for a period that is gone for good', async () => {
    app.at('2026-05-31T12:00:00Z');
    const key = await app.api.createBoard({ cadences: ['MONTHLY'], archive: false });
    await app.api.scores(key, { a: 5, b: 3 });
    app.at('2026-06-01T12:00:00Z');
    await app.api.scores(key, { a: 9 });
    await mutate(app.api, 'closePeriod', { leaderboard: key, period: '2026-05' }, 'period { state }');
    await release(key, '2026-05');
    const selection = 'leaderboard { denseProgress }';
    expect(await mutate(app.api, 'updateLeaderboard', { key, denseRanks: true }, selection)).toEqual({
      leaderboard: { denseProgress: expect.any(Number) },
    });
    await expect.poll(() => progressOf(key)).toBe(1);
  });

  it('given up are null at once, and come again right', async () => {
    const key = await app.api.createBoard({ denseRanks: true });
    await app.api.scores(key, { a: 5, b: 5, c: 3 });
    const dense = async () => (await reader(key)({})).edges.map(({ node }) => node.denseRank);
    expect([await progressOf(key), await dense()]).toEqual([1, [1, 1, 2]]);
    await mutate(app.api, 'updateLeaderboard', { key, denseRanks: false }, 'leaderboard { key }');
    expect([await progressOf(key), await dense()]).toEqual([null, [null, null, null]]);
    await app.api.scores(key, { d: 4 });
    await mutate(app.api, 'updateLeaderboard', { key, denseRanks: true }, 'leaderboard { key }');
    await expect.poll(() => progressOf(key)).toBe(1);
    expect(await dense()).toEqual([1, 1, 2, 3]);
  });
});

describe('rules of a board that has entries', () => {
  it('DENSE needs the complete index, and the index stays while DENSE does', async () => {
    const key = await app.api.createBoard();
    await app.api.scores(key, { a: 5, b: 3 });
    const update = (rules: object) => mutationCode(app.api, 'updateLeaderboard', { key, ...rules });
    expect(await update({ rankMethod: 'DENSE' })).toBe('BAD_INPUT');
    expect(await update({ rankMethod: 'DENSE', denseRanks: true })).toBe('BAD_INPUT');
    expect(await update({ denseRanks: true })).toBeNull();
    await expect.poll(() => progressOf(key)).toBe(1);
    expect(await update({ rankMethod: 'DENSE' })).toBeNull();
    expect(await update({ denseRanks: false })).toBe('BAD_INPUT');
    expect(await update({ rankMethod: 'ORDINAL', denseRanks: false })).toBeNull();
  });

  it.each([
    { tieBreak: 'EARLIEST' },
    { sortOrder: 'LOW_TO_HIGH' },
    { scoreScale: 2 },
    { timeZone: 'Europe/Zurich' },
    { cadences: ['DAILY'] },
    { maxEntries: 1 },
    { dayStartsAt: '05:00' },
    { sortKeyType: 'INTEGER' },
    { sortKeyOrder: 'DESCENDING' },
  ])('%j is fixed while a board lives', async (rules) => {
    const key = await app.api.createBoard();
    await app.api.scores(key, { a: 5, b: 3 });
    const shown = () =>
      readBoard(
        app.api,
        key,
        'tieBreak sortOrder scoreScale timeZone cadences maxEntries dayStartsAt sortKeyType sortKeyOrder',
      );
    const before = await shown();
    expect(await mutationCode(app.api, 'updateLeaderboard', { key, ...rules })).not.toBeNull();
    expect(await shown()).toEqual(before);
  });
});
