import { describe, expect, it, onTestFinished } from 'vitest';
import { clockedApp, release } from '../support/clocked-app.ts';
import {
  closePeriod,
  correctEntry,
  mutate,
  pageOf,
  readBoard,
  readingCode,
  readPage,
  readPeriod,
  walkPages,
} from '../support/period-reader.ts';
import { openPeriods } from '../support/periods.ts';
import { connectRedis } from '../support/redis-client.ts';

interface Node {
  readonly memberId: string;
  readonly score: number;
  readonly rank: number;
}

const noon = '2026-05-10T12:00:00.000Z';
const day = '2026-05-10';
const fields = 'memberId score rank competitionRank denseRank index tieCount topPercent reachedAt metadata';

const app = clockedApp(noon);

const close = (leaderboard: string, period = day) => closePeriod(app.api, leaderboard, period);
const correct = (leaderboard: string, memberId: string, score: number | null, period = day) =>
  correctEntry(app.api, leaderboard, memberId, score, period);

const read = (key: string, page: Record<string, unknown>, period = day) =>
  readPage<Node>(app.api, key, page, fields, period);

/** A day with 30 entries in ties of three. */
async function dailyBoard(rules: object = {}): Promise<string> {
  app.at(noon);
  const key = await app.api.createBoard({ cadences: ['DAILY'], retentionSeconds: 3600, ...rules });
  for (let i = 0; i < 30; i += 1) {
    const metadata = i % 4 === 0 ? { metadata: { run: i } } : {};
    await app.api.score(key, `m${(i * 11) % 30}`, Math.floor(i / 3), {
      ...metadata,
      occurredAt: `2026-05-10T10:${10 + i}:00Z`,
    });
  }
  return key;
}

const everything = `entryCount version entry(memberId: "m7") { ${fields} } nobody: entry(memberId: "x") { rank }
  entriesAround(memberId: "m7", above: 3, below: 3) ${pageOf(fields)} aroundScore: entriesAround(score: 4, fill: true) ${pageOf(fields)}
  entriesRanked(rank: 4) ${pageOf(fields)} entryAt(index: 17) { ${fields} } entriesOf(memberIds: ["m1", "x", "m2"]) { place entry { ${fields} } }
  rankOf(score: 4) { rank competitionRank denseRank index tieCount topPercent } scoreFor(rank: 11)
  scoreHistogram(buckets: 4) { minScore maxScore count }
  window: entries(minScore: 2, maxScore: 5, first: 7) ${pageOf(fields)} numbered: entries(offset: 11, first: 5) ${pageOf(fields)}`;

const rules = [
  { tieBreak: 'EARLIEST', rankMethod: 'DENSE' },
  { tieBreak: 'MEMBER_ID', sortOrder: 'LOW_TO_HIGH' },
  { tieBreak: 'LATEST', rankMethod: 'ORDINAL' },
  { tieBreak: 'SORT_KEY', scoreScale: 3, maxEntries: 25 },
];

describe('rule T4: a period reads the same live, closed, and from the archive alone', () => {
  it.each(rules)('%j', async (some) => {
    const key = await dailyBoard(some);
    const cursor = (await read(key, { first: 8 })).edges[7]?.cursor;
    const all = async () => ({
      figures: await readPeriod(app.api, key, everything, day),
      whole: await read(key, { first: 100 }),
      // A client that was at this place when it was live, and goes on from it.
      after: await read(key, { first: 5, after: cursor }),
      before: await read(key, { last: 5, before: cursor }),
      forth: await walkPages((page) => read(key, page), 7),
      back: await walkPages((page) => read(key, page), 4, true),
    });
    const live = await all();
    expect(live.after.edges).toEqual(live.whole.edges.slice(8, 13));
    expect(live.forth).toEqual(live.whole.edges);
    app.at('2026-05-11T00:00:00.000Z');
    await close(key);
    expect(await all()).toEqual(live);
    await release(key, day);
    app.at('2026-05-11T02:00:00.000Z');
    expect(await readPeriod(app.api, key, 'state', day)).toEqual({ state: 'ARCHIVED' });
    expect(await all()).toEqual(live);
    expect(live.after).toMatchObject({ changed: false, drift: 0 });
    // Cursors made from the archive are as good, and others as bad.
    expect(await readingCode(app.api, key, `entries(after: "${cursor}") { totalCount }`, '2026-05-11')).toBe(
      'CURSOR_OF_OTHER_PERIOD',
    );
  });

  it('ranks by the method it was archived with, whatever the board does later', async () => {
    const key = await dailyBoard({ denseRanks: false });
    app.at('2026-05-11T00:00:00.000Z');
    await close(key);
    await release(key, day);
    const selection = `entries(offset: 3, first: 1) { nodes { rank denseRank explain(rank: 4) { scoreForRank } } }
      rankOf(score: 5) { rank denseRank } entriesRanked(rank: 4) { totalCount nodes { rank } }`;
    const before = {
      entries: { nodes: [{ rank: 4, denseRank: null, explain: { scoreForRank: 8 } }] },
      rankOf: { rank: 13, denseRank: null },
      entriesRanked: { totalCount: 3, nodes: [{ rank: 4 }, { rank: 4 }, { rank: 4 }] },
    };
    expect(await readPeriod(app.api, key, selection, day)).toEqual(before);
    await mutate(app.api, 'updateLeaderboard', { key, denseRanks: true }, 'leaderboard { key }');
    await expect.poll(() => readBoard(app.api, key, 'denseProgress')).toEqual({ denseProgress: 1 });
    for (const rankMethod of ['DENSE', 'ORDINAL']) {
      await mutate(app.api, 'updateLeaderboard', { key, rankMethod }, 'leaderboard { key }');
      expect(await readPeriod(app.api, key, selection, day)).toEqual(before);
    }
  });
});

describe('a career', () => {
  it('goes over live, closed and archived periods, the latest first', async () => {
    app.at('2026-02-10T12:00:00Z');
    const key = await app.api.createBoard({ cadences: ['YEARLY', 'ALL_TIME'] });
    await mutate(app.api, 'updateLeaderboard', { key, backfill: true }, 'leaderboard { key }');
    const points: Record<string, Record<string, number>> = {
      2020: { ann: 50, bob: 90 },
      2021: { ann: 70, bob: 10 },
      2022: { bob: 5 },
      2023: { ann: 90, bob: 95, cleo: 99 },
      2024: { ann: 10 },
      2026: { ann: 60, bob: 60 },
    };
    for (const [year, scores] of Object.entries(points)) {
      for (const [memberId, score] of Object.entries(scores)) {
        await app.api.score(key, memberId, score, { occurredAt: `${year}-02-01T00:00:00Z` });
      }
    }
    await mutate(app.api, 'updateLeaderboard', { key, backfill: false }, 'leaderboard { key }');
    for (const year of ['2020', '2021', '2022', '2023']) await close(key, year);
    for (const year of ['2020', '2021']) await release(key, year);
    await correct(key, 'bob', 60, '2021');
    const career = (memberId: string, given = '') =>
      readBoard<{ career: object }>(
        app.api,
        key,
        `career(memberId: "${memberId}"${given}) { periodCount bestRank { rank period { key } } bestScore { score period { key } }
          entries { rank score period { key state } } }`,
      ).then((board) => board.career);
    const entry = (year: string, state: string, rank: number, score: number) => ({
      rank,
      score,
      period: { key: year, state },
    });
    expect(await career('ann')).toEqual({
      periodCount: 5,
      // Of several first places the latest; 2023 has the best score, on the third place.
      bestRank: { rank: 1, period: { key: '2026' } },
      bestScore: { score: 90, period: { key: '2023' } },
      entries: [
        entry('2026', 'OPEN', 1, 60),
        entry('2024', 'CLOSED', 1, 10),
        entry('2023', 'CLOSED', 3, 90),
        entry('2021', 'ARCHIVED', 1, 70),
        entry('2020', expect.stringMatching(/CLOSED|ARCHIVED/), 2, 50),
      ],
    });
    expect(await career('bob')).toMatchObject({
      periodCount: 5,
      bestScore: { score: 95 },
      entries: [{ score: 60 }, { score: 95 }, { score: 5 }, { score: 60, rank: 2 }, { score: 90 }],
    });
    expect(await career('bob', ', cadence: ALL_TIME')).toMatchObject({
      periodCount: 1,
      entries: [{ rank: 2, score: 95 }],
    });
    expect(await career('nobody')).toEqual({ periodCount: 0, bestRank: null, bestScore: null, entries: [] });
    // A snapshot is a copy of a period, not one more of them.
    await mutate(app.api, 'createSnapshot', { leaderboard: key, period: '2026' }, 'period { key }');
    expect(await career('ann')).toMatchObject({ periodCount: 5 });
  });
});

describe('rule T5: a deleted board takes its history with it', () => {
  it('also what the archive held, corrections and snapshots', async () => {
    const key = await dailyBoard();
    const { period } = await mutate<{ period: { key: string } }>(
      app.api,
      'createSnapshot',
      { leaderboard: key, period: day },
      'period { key }',
    );
    app.at('2026-05-11T00:00:00.000Z');
    await close(key);
    await correct(key, 'm0', 99);
    await app.api.deleteBoard(key);
    await mutate(app.api, 'createLeaderboard', { key, cadences: ['DAILY'] }, 'leaderboard { key }');
    const selection = 'entryCount version revision closedAt entries { totalCount }';
    const nothing = { entryCount: 0, version: 0, revision: null, closedAt: null, entries: { totalCount: 0 } };
    expect(await readPeriod(app.api, key, selection, day)).toEqual(nothing);
    expect(await readingCode(app.api, key, selection, `${day}~1`)).toBe('PERIOD_EXPIRED');
    expect(await readingCode(app.api, key, selection, period.key)).toBe('PERIOD_EXPIRED');
    expect(await readBoard(app.api, key, 'career(memberId: "m0") { periodCount } periods { nodes { key } }')).toEqual({
      career: { periodCount: 0 },
      periods: { nodes: [{ key: '2026-05-11' }] },
    });
  });

  it('leaving nothing of it in the archive or in Redis', async () => {
    const laurel = await openPeriods(Date.parse(noon));
    onTestFinished(() => laurel.stop());
    const board = await laurel.boards.create('gone', { cadences: ['DAILY'], tieBreak: 'EARLIEST', denseRanks: true });
    const other = await laurel.boards.create('stays', { cadences: ['DAILY'] });
    for (const { key } of [board, other])
      await laurel.scoring.submit(key, { memberId: 'a', score: 1, metadata: { n: 1 } });
    await laurel.past.snapshot('gone', day, 60);
    laurel.at(Date.parse('2026-05-11T00:00:00.000Z'));
    await laurel.newClosing().round();
    await laurel.past.correct('gone', day, 'a', 2);
    expect(await laurel.archive.records(board, null)).toHaveLength(1);
    await laurel.past.removeBoard('gone');
    expect(await laurel.archive.records(board, null)).toEqual([]);
    expect(await laurel.archive.find(board, `${day}~1`)).toBeNull();
    expect(await laurel.archive.records(other, null)).toHaveLength(1);
    const redis = await connectRedis(laurel.socketPath);
    expect((await redis.keys('*gone*')).filter((name) => !name.endsWith('#closing'))).toEqual([]);
  });
});
