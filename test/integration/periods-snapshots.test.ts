import { describe, expect, it } from 'vitest';
import { keys } from '../../src/redis/keys.ts';
import { clockedApp } from '../support/clocked-app.ts';
import {
  mutate,
  mutationCode,
  type Page,
  pageOf,
  readBoard,
  readingCode,
  readPage,
  readPeriod,
  walkPages,
} from '../support/period-reader.ts';
import { connectRedis } from '../support/redis-client.ts';

interface Node {
  readonly memberId: string;
  readonly score: number;
  readonly rank: number;
}

const app = clockedApp();

const fields = 'memberId score rank competitionRank denseRank index tieCount metadata';

async function snapshot(leaderboard: string, period = 'all', ttlSeconds = 600): Promise<string> {
  const answer = await mutate<{ period: { key: string } }>(
    app.api,
    'createSnapshot',
    { leaderboard, period, ttlSeconds },
    'period { key }',
  );
  return answer.period.key;
}

const reader = (key: string, period: string) => (page: Record<string, unknown>) =>
  readPage<Node>(app.api, key, page, fields, period);

async function boardOf(count: number, rules: object = {}): Promise<string> {
  const key = await app.api.createBoard({ scorePolicy: 'LATEST', ...rules });
  await app.api.scores(key, Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, Math.floor(i / 3)])));
  return key;
}

describe('rule P3: strict paging of a snapshot', () => {
  it('has no entry twice and misses none while the board is written to as fast as it can be', async () => {
    const key = await boardOf(300, { tieBreak: 'EARLIEST', denseRanks: true });
    let writing = true;
    let written = 0;
    const write = async (nth: number) => {
      for (; writing; written += 1) await app.api.score(key, `m${(written * 37 + nth) % 330}`, (written * 101) % 120);
    };
    const writers = [write(1), write(2)];
    const read = async () => {
      const copy = await snapshot(key);
      const whole = await readPeriod<{
        version: number;
        entryCount: number;
        state: string;
        entries: { nodes: Node[] };
      }>(app.api, key, `version entryCount state entries(first: 100) { nodes { ${fields} } }`, copy);
      const before = written;
      const forth = await walkPages(reader(key, copy), 7);
      const back = await walkPages(reader(key, copy), 11, true);
      return { copy, whole, before, forth, back };
    };
    const { copy, whole, before, forth, back } = await read().finally(() => {
      writing = false;
    });
    await Promise.all(writers);
    expect(written - before).toBeGreaterThan(20);
    expect(whole).toMatchObject({ state: 'CLOSED', entryCount: forth.length });
    expect(copy).toBe(`all@${whole.version}`);
    expect(back).toEqual(forth);
    const nodes = forth.map(({ node }) => node);
    expect(new Set(nodes.map(({ memberId }) => memberId)).size).toBe(whole.entryCount);
    expect(nodes.slice(0, 100)).toEqual(whole.entries.nodes);
    const scores = nodes.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(nodes.map((node) => ({ ...node, rank: scores.indexOf(node.score) + 1 }))).toEqual(nodes);
    // Each page says that nothing moved.
    const page = await reader(key, copy)({ first: 5, after: forth[9]?.cursor });
    expect(page).toMatchObject({ changed: false, drift: 0, version: whole.version, totalCount: whole.entryCount });
    expect((await readPeriod<{ version: number }>(app.api, key, 'version')).version).toBeGreaterThan(whole.version);
  });

  it('is a copy of all there is of an entry, read in every way', async () => {
    const key = await boardOf(9, { tieBreak: 'SORT_KEY', scorePolicy: 'BEST' });
    await app.api.score(key, 'm0', 50, { sortKey: 'k', metadata: { run: 1 } });
    const selection = `entryCount version entry(memberId: "m0") { ${fields} } entriesAround(memberId: "m4", above: 2, below: 2) ${pageOf('memberId rank')}
      entriesRanked(rank: 2) { totalCount } rankOf(score: 1) { rank tieCount } scoreFor(rank: 3) scoreHistogram(buckets: 3) { count }`;
    const live = await readPeriod<{ entriesAround: Page<Node> }>(app.api, key, selection);
    const copy = await snapshot(key);
    await app.api.score(key, 'm8', 99);
    const shown = await readPeriod<{ entriesAround: Page<Node> }>(app.api, key, selection, copy);
    // But for the cursors, which know where they come from.
    const places = (answer: typeof live) => ({
      ...answer,
      entriesAround: answer.entriesAround.edges.map(({ node, place }) => ({ ...node, place })),
    });
    expect(places(shown)).toEqual(places(live));
    const cursor = shown.entriesAround.edges[0]?.cursor;
    expect(await readingCode(app.api, key, `entries(after: "${cursor}") { totalCount }`)).toBe(
      'CURSOR_OF_OTHER_PERIOD',
    );
  });

  it('is no period of the board: not listed, not closed, not copied, not written to', async () => {
    const key = await boardOf(6);
    const copy = await snapshot(key);
    expect(await readBoard(app.api, key, 'periods { nodes { key } }')).toEqual({
      periods: { nodes: [{ key: 'all' }] },
    });
    const code = (field: string, more: object = {}) =>
      mutationCode(app.api, field, { leaderboard: key, period: copy, ...more });
    expect(await code('createSnapshot')).toBe('PERIOD_NOT_FOUND');
    expect(await code('closePeriod')).toBe('PERIOD_NOT_FOUND');
    expect(await code('correctEntry', { memberId: 'm1', score: 1 })).toBe('PERIOD_NOT_FOUND');
    expect(['PERIOD_CLOSED', 'PERIOD_NOT_FOUND']).toContain(await code('removeEntry', { memberId: 'm1' }));
    await mutate(app.api, 'removeEntry', { leaderboard: key, memberId: 'm1' }, 'removed { version }');
    expect(await readPeriod(app.api, key, 'entryCount entry(memberId: "m1") { score }', copy)).toEqual({
      entryCount: 6,
      entry: { score: 0 },
    });
  });
});

describe('snapshots', () => {
  it('of a period without entries are empty, and of a season or a day like any other', async () => {
    const key = await app.api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'] });
    const year = (await readBoard<{ current: { key: string } }>(app.api, key, 'current(cadence: YEARLY) { key }'))
      .current.key;
    const empty = await snapshot(key, year);
    await app.api.score(key, 'a', 1);
    const one = await snapshot(key, year);
    const counts = (period: string) =>
      readPeriod(app.api, key, 'cadence state entryCount entries { totalCount }', period);
    const count = (entryCount: number) => ({
      cadence: 'YEARLY',
      state: 'CLOSED',
      entryCount,
      entries: { totalCount: entryCount },
    });
    expect([empty, one]).toEqual([`${year}@0`, `${year}@1`]);
    expect([await counts(empty), await counts(one)]).toEqual([count(0), count(1)]);
  });

  it('of a closed period are refused: it is final itself', async () => {
    app.at('2026-05-10T12:00:00Z');
    const key = await app.api.createBoard({ cadences: ['DAILY'] });
    await app.api.score(key, 'a', 1);
    app.at('2026-05-11T12:00:00Z');
    const input = { leaderboard: key, period: '2026-05-10' };
    await mutate(app.api, 'closePeriod', input, 'period { key }');
    expect(await mutationCode(app.api, 'createSnapshot', input)).toBe('PERIOD_CLOSED');
    expect(await mutationCode(app.api, 'createSnapshot', { ...input, period: '2026-W19' })).toBe('PERIOD_NOT_FOUND');
    app.at(Date.now());
  });

  it('are kept for the time asked, the longest of those who asked, and then are gone', async () => {
    const key = await boardOf(3);
    const copy = await snapshot(key, 'all', 300);
    expect(await snapshot(key, 'all', 60)).toBe(copy);
    const redis = await connectRedis();
    const names = await redis.keys(`${keys.ranking(key, copy)}*`);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const left = await redis.pttl(name);
      expect(left).toBeLessThanOrEqual(300_000);
      expect(left, name).toBeGreaterThan(200_000);
    }
    for (const ttlSeconds of [0, -1, 366 * 86_400 + 1]) {
      expect(await mutationCode(app.api, 'createSnapshot', { leaderboard: key, period: 'all', ttlSeconds })).toBe(
        'BAD_INPUT',
      );
    }
    await redis.unlink(...names);
    expect(await readingCode(app.api, key, 'entries { totalCount }', copy)).toBe('PERIOD_EXPIRED');
  });

  it('rule R4: made before the board had dense ranks show none, never a wrong one', async () => {
    const key = await boardOf(9);
    const copy = await snapshot(key);
    await mutate(app.api, 'updateLeaderboard', { key, denseRanks: true }, 'leaderboard { key }');
    await expect.poll(() => readBoard(app.api, key, 'denseProgress')).toEqual({ denseProgress: 1 });
    await mutate(app.api, 'updateLeaderboard', { key, rankMethod: 'DENSE' }, 'leaderboard { key }');
    const selection =
      'entries(offset: 6, first: 1) { nodes { rank denseRank } } rankOf(score: 1) { denseRank } entriesRanked(rank: 4) { nodes { rank } }';
    const group = (rank: number) => ({ nodes: [{ rank }, { rank }, { rank }] });
    expect(await readPeriod(app.api, key, selection, copy)).toEqual({
      entries: { nodes: [{ rank: 7, denseRank: null }] },
      rankOf: { denseRank: null },
      entriesRanked: group(4),
    });
    const later = await snapshot(key);
    // The same version, now with its index, which it keeps when the board gives up its own.
    expect(later).toBe(copy);
    await mutate(
      app.api,
      'updateLeaderboard',
      { key, rankMethod: 'ORDINAL', denseRanks: false },
      'leaderboard { key }',
    );
    expect(await readPeriod(app.api, key, selection.replace('rank: 4', 'rank: 3'), later)).toEqual({
      entries: { nodes: [{ rank: 3, denseRank: 3 }] },
      rankOf: { denseRank: 2 },
      entriesRanked: group(3),
    });
  });
});
