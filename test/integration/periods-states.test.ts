import { describe, expect, it } from 'vitest';
import { adminKey } from '../support/app.ts';
import { clockedApp, dailyBoardAt, release } from '../support/clocked-app.ts';
import { runLaurel } from '../support/command-line.ts';
import { mutate, readBoard } from '../support/period-reader.ts';
import { SocketClient } from '../support/websocket-client.ts';

const noon = '2026-05-10T12:00:00.000Z';
const day = '2026-05-10';
const nextDay = '2026-05-11T00:00:00.000Z';

const app = clockedApp(noon);

/** A board with scores of a day, at its noon. */
const dailyBoard = (rules: object = {}) => dailyBoardAt(app, noon, rules);

const submit = (leaderboard: string, memberId: string, score: number) => app.api.score(leaderboard, memberId, score);

const close = (leaderboard: string, period: string) =>
  mutate<object>(app.api, 'closePeriod', { leaderboard, period }, 'period { key state }');

describe('periods by state', () => {
  it('are those in it now, by cadence too, with pages of their own', async () => {
    app.at('2026-05-07T12:00:00.000Z');
    const key = await app.api.createBoard({
      cadences: ['DAILY', 'WEEKLY', 'SEASON'],
      graceSeconds: 86_400,
      retentionSeconds: 60,
    });
    const season = { leaderboard: key, key: 'june', startsAt: '2026-06-01T00:00:00Z', endsAt: '2026-07-01T00:00:00Z' };
    await mutate(app.api, 'createSeason', season, 'leaderboard { key }');
    for (const date of ['07', '08', '09', '10']) {
      app.at(`2026-05-${date}T12:00:00.000Z`);
      await submit(key, 'ann', 1);
    }
    await close(key, '2026-05-07');
    app.at('2026-05-10T12:02:00.000Z');
    await close(key, '2026-05-08');
    const states = async (state: string, more = '') => {
      const { periods } = await readBoard<{ periods: { totalCount: number; nodes: { key: string; state: string }[] } }>(
        app.api,
        key,
        `periods(state: ${state}${more}) { totalCount nodes { key state } }`,
      );
      expect(periods.totalCount).toBe(periods.nodes.length);
      return periods.nodes.map((period) => `${period.key} ${period.state}`);
    };
    expect(await states('OPEN')).toEqual(['2026-05-10 OPEN', '2026-W19 OPEN']);
    expect(await states('OPEN', ', cadence: WEEKLY')).toEqual(['2026-W19 OPEN']);
    expect(await states('GRACE')).toEqual(['2026-05-09 GRACE']);
    expect(await states('CLOSED')).toEqual(['2026-05-08 CLOSED']);
    expect(await states('ARCHIVED')).toEqual(['2026-05-07 ARCHIVED']);
    expect(await states('UPCOMING')).toEqual(['june UPCOMING']);
    expect(await states('[CLOSED, ARCHIVED]')).toEqual(['2026-05-08 CLOSED', '2026-05-07 ARCHIVED']);
    expect(await states('[]')).toEqual([]);
  });

  it('page on from a period that is no longer in the state, or not listed any more', async () => {
    const key = await dailyBoard({ graceSeconds: 10 * 86_400 });
    for (const date of ['11', '12', '13']) {
      app.at(`2026-05-${date}T12:00:00.000Z`);
      await submit(key, 'ann', 1);
    }
    // The current day has no entry: it is listed only as long as it is current.
    app.at('2026-05-14T12:00:00.000Z');
    const page = async (given: string) => {
      const { periods } = await readBoard<{
        periods: {
          pageInfo: { endCursor: string; startCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
          nodes: { key: string }[];
        };
      }>(
        app.api,
        key,
        `periods(${given}) { pageInfo { endCursor startCursor hasNextPage hasPreviousPage } nodes { key } }`,
      );
      return { ...periods, keys: periods.nodes.map((one) => one.key) };
    };
    const current = await page('first: 1');
    const ended = await page('first: 2, state: GRACE');
    expect([current.keys, ended.keys]).toEqual([['2026-05-14'], ['2026-05-13', '2026-05-12']]);
    await close(key, '2026-05-12');
    app.at('2026-05-15T12:00:00.000Z');
    const rest = await page(`first: 9, state: GRACE, after: "${ended.pageInfo.endCursor}"`);
    expect([rest.keys, rest.pageInfo.hasPreviousPage, rest.pageInfo.hasNextPage]).toEqual([
      ['2026-05-11', day],
      true,
      false,
    ]);
    expect((await page(`first: 2, after: "${current.pageInfo.endCursor}"`)).keys).toEqual(['2026-05-13', '2026-05-12']);
    expect((await page(`first: 9, state: GRACE, after: "${rest.pageInfo.startCursor}"`)).keys).toEqual([day]);
    expect((await page(`last: 1, state: GRACE, before: "${rest.pageInfo.endCursor}"`)).keys).toEqual(['2026-05-11']);
    const before = await page(`last: 9, before: "${current.pageInfo.startCursor}"`);
    expect([before.keys, before.pageInfo.hasNextPage]).toEqual([['2026-05-15'], true]);
    const query =
      'query($key: String!, $after: String) { leaderboard(key: $key) { periods(after: $after) { totalCount } } }';
    for (const after of [
      'nonsense',
      Buffer.from('p:2026-W01').toString('base64url'),
      Buffer.from('b:x').toString('base64url'),
    ]) {
      expect(await app.api.code(query, { key, after })).toBe('BAD_CURSOR');
    }
  });
});

describe('periodChanged', () => {
  it('begins with what is current, then says what began, ended and closed', async () => {
    const key = await dailyBoard({ graceSeconds: 3600, cadences: ['DAILY', 'ALL_TIME'] });
    const seen = new SocketClient(app.url).watch<object>(
      'subscription($key: String!) { periodChanged(leaderboard: $key) { state gap period { key state entryCount } } }',
      { key },
    );
    const update = (period: string, state: string, entryCount: number) => ({
      state,
      gap: false,
      period: { key: period, state, entryCount },
    });
    expect([await seen.next(), await seen.next()]).toEqual([update(day, 'OPEN', 3), update('all', 'OPEN', 3)]);
    app.at('2026-05-11T00:00:10.000Z');
    expect([await seen.next(), await seen.next()]).toEqual([update(day, 'GRACE', 3), update('2026-05-11', 'OPEN', 0)]);
    await close(key, day);
    expect(await seen.next()).toEqual(update(day, 'CLOSED', 3));
    // Not told twice.
    await close(key, day);
    app.at('2026-05-12T00:00:10.000Z');
    expect([await seen.next(), await seen.next()]).toEqual([
      update('2026-05-11', 'GRACE', 0),
      update('2026-05-12', 'OPEN', 0),
    ]);
  });
});

describe('laurel export', () => {
  it('names the state of what it exports, and exports the same', async () => {
    const key = await dailyBoard({ retentionSeconds: 60 });
    const run = async () => {
      const { code, out, err } = await runLaurel(['export', '--board', key, '--period', day], {
        url: `${app.url}/graphql`,
        key: adminKey,
      });
      return { code, out, state: /period 2026-05-10 \(([A-Z]+)\)/.exec(err)?.[1] };
    };
    const open = await run();
    expect(open).toMatchObject({
      code: 0,
      state: 'OPEN',
      out: expect.stringContaining('1,1,0,bob,,5\n1,1,1,ann,,5\n3,3,2,cleo,,3\n'),
    });
    app.at(nextDay);
    await close(key, day);
    expect(await run()).toEqual({ ...open, state: 'CLOSED' });
    await release(key, day);
    app.at('2026-05-11T00:01:00.000Z');
    expect(await run()).toEqual({ ...open, state: 'ARCHIVED' });
  });
});
