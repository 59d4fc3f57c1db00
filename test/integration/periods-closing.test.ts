import { describe, expect, it } from 'vitest';
import { clockedApp, dailyBoardAt, release } from '../support/clocked-app.ts';
import { mutate, mutationCode, readBoard, readingCode, readPeriod } from '../support/period-reader.ts';

const noon = '2026-05-10T12:00:00.000Z';
const day = '2026-05-10';
const nextDay = '2026-05-11T00:00:00.000Z';

const app = clockedApp(noon);

/** A board with scores of a day, at its noon. */
const dailyBoard = (rules: object = {}) => dailyBoardAt(app, noon, rules);

const submit = (leaderboard: string, memberId: string, score: number, more: object = {}) =>
  mutate<{ applied: boolean; changes: object[]; skipped: object[] }>(
    app.api,
    'submitScore',
    { leaderboard, memberId, score, ...more },
    'applied changes { applied late period { key state } } skipped { period cadence code }',
  );

const close = (leaderboard: string, period: string, selection = 'period { key state }') =>
  mutate<object>(app.api, 'closePeriod', { leaderboard, period }, selection);

const closeCode = (leaderboard: string, period: string) =>
  mutationCode(app.api, 'closePeriod', { leaderboard, period });

describe('rule T2: late scores', () => {
  const late = { occurredAt: noon };

  it('are flagged within the grace, then skipped with a code, to the millisecond', async () => {
    const key = await dailyBoard({ graceSeconds: 3600 });
    const change = (isLate: boolean, state: string) => ({ applied: true, late: isLate, period: { key: day, state } });
    app.at('2026-05-10T23:59:59.999Z');
    expect(await submit(key, 'a', 1, late)).toMatchObject({ changes: [change(false, 'OPEN')], skipped: [] });
    app.at(nextDay);
    expect(await submit(key, 'b', 1, late)).toMatchObject({ changes: [change(true, 'GRACE')], skipped: [] });
    app.at('2026-05-11T00:59:59.999Z');
    expect(await submit(key, 'c', 1, late)).toMatchObject({ changes: [change(true, 'GRACE')], skipped: [] });
    app.at('2026-05-11T01:00:00.000Z');
    expect(await submit(key, 'd', 1, late)).toEqual({
      applied: false,
      changes: [],
      skipped: [{ period: day, cadence: 'DAILY', code: 'PERIOD_CLOSED' }],
    });
    expect(await readPeriod(app.api, key, 'state entryCount closesAt', day)).toEqual({
      state: 'CLOSED',
      entryCount: 6,
      closesAt: '2026-05-11T01:00:00.000Z',
    });
  });

  it('can be too late for the day, late for the week and in time for the month', async () => {
    const key = await dailyBoard({ cadences: ['DAILY', 'WEEKLY', 'MONTHLY', 'ALL_TIME'], graceSeconds: 3600 });
    // 10 May 2026 is a Sunday: the week has ended with the day, a quarter of an hour ago.
    app.at('2026-05-11T00:15:00.000Z');
    const sunday = await submit(key, 'x', 9, late);
    expect(sunday.changes.map((one) => ('late' in one ? one.late : null))).toEqual([true, true, false, false]);
    const saturday = await submit(key, 'y', 9, { occurredAt: '2026-05-09T12:00:00.000Z' });
    expect(saturday.skipped).toEqual([{ period: '2026-05-09', cadence: 'DAILY', code: 'PERIOD_CLOSED' }]);
    expect(saturday.changes).toMatchObject([
      { late: true, period: { key: '2026-W19', state: 'GRACE' } },
      { late: false, period: { key: '2026-05', state: 'OPEN' } },
      { late: false, period: { key: 'all', state: 'OPEN' } },
    ]);
    // What was skipped left no period behind.
    const { periods } = await readBoard<{ periods: { nodes: { key: string }[] } }>(
      app.api,
      key,
      'periods { nodes { key } }',
    );
    expect(periods.nodes.map((period) => period.key)).toEqual([
      'all',
      '2026-05-11',
      '2026-W20',
      day,
      '2026-W19',
      '2026-05',
    ]);
  });

  it('from the future are refused, but for clocks that differ a little', async () => {
    const key = await dailyBoard();
    const input = (occurredAt: string) => ({ leaderboard: key, memberId: 'a', score: 1, occurredAt });
    expect(await mutationCode(app.api, 'submitScore', input('2026-05-10T12:01:00.000Z'))).toBeNull();
    expect(await mutationCode(app.api, 'submitScore', input('2026-05-10T12:01:00.001Z'))).toBe('OCCURRED_IN_FUTURE');
  });
});

describe('rule T3: closing by hand', () => {
  it('is done when it answers: final, archived, announced by its record, and harmless to repeat', async () => {
    const key = await dailyBoard({ graceSeconds: 7200, retentionSeconds: 3600 });
    app.at(nextDay);
    const selection =
      'period { key state version entryCount closedAt expiresAt revision entries { nodes { memberId rank } } }';
    const closed = {
      period: {
        ...{ key: day, state: 'CLOSED', version: 3, entryCount: 3, closedAt: nextDay, revision: 1 },
        expiresAt: '2026-05-11T01:00:00.000Z',
        entries: {
          nodes: [
            { memberId: 'bob', rank: 1 },
            { memberId: 'ann', rank: 1 },
            { memberId: 'cleo', rank: 3 },
          ],
        },
      },
    };
    expect(await close(key, day, selection)).toEqual(closed);
    expect((await submit(key, 'dan', 9, { occurredAt: noon })).skipped).toMatchObject([{ code: 'PERIOD_CLOSED' }]);
    const remove = { leaderboard: key, memberId: 'ann', period: day };
    expect(await mutationCode(app.api, 'removeEntry', remove)).toBe('PERIOD_CLOSED');
    app.at('2026-05-11T00:30:00.000Z');
    expect(await close(key, day, selection)).toEqual(closed);
  });

  it('waits for the end, the release of a hold, and needs a period that there is', async () => {
    const key = await dailyBoard({ cadences: ['DAILY', 'ALL_TIME'] });
    app.at('2026-05-10T23:59:59.999Z');
    expect(await closeCode(key, day)).toBe('PERIOD_NOT_ENDED');
    expect(await closeCode(key, 'all')).toBe('PERIOD_NOT_ENDED');
    expect(await closeCode(key, '2026-W19')).toBe('PERIOD_NOT_FOUND');
    app.at(nextDay);
    await mutate(app.api, 'updateLeaderboard', { key, backfill: true }, 'leaderboard { backfill }');
    expect(await closeCode(key, day)).toBe('BACKFILL_HELD');
    expect(await readPeriod(app.api, key, 'state closedAt', day)).toEqual({ state: 'GRACE', closedAt: null });
    expect((await submit(key, 'dan', 9, { occurredAt: noon })).changes).toMatchObject([
      { late: true },
      { late: false },
    ]);
    await mutate(app.api, 'updateLeaderboard', { key, backfill: false }, 'leaderboard { backfill }');
    expect(await closeCode(key, day)).toBeNull();
    // A hold opens only what never closed.
    await mutate(app.api, 'updateLeaderboard', { key, backfill: true }, 'leaderboard { backfill }');
    expect((await submit(key, 'eve', 9, { occurredAt: noon })).skipped).toMatchObject([
      { period: day, code: 'PERIOD_CLOSED' },
    ]);
  });

  it('of a period without entries is no trouble', async () => {
    const key = await dailyBoard();
    app.at('2026-05-12T12:00:00.000Z');
    expect(await close(key, '2026-05-11', 'period { state entryCount version entries { totalCount } }')).toEqual({
      period: { state: 'CLOSED', entryCount: 0, version: 0, entries: { totalCount: 0 } },
    });
  });
});

describe('a closed period that no archive holds', () => {
  it('says PERIOD_EXPIRED once Redis let it go, and the board goes on', async () => {
    const key = await dailyBoard({ archive: false });
    app.at(nextDay);
    await close(key, day);
    await release(key, day);
    expect(await readingCode(app.api, key, 'entries { totalCount }', day)).toBe('PERIOD_EXPIRED');
    expect((await submit(key, 'ann', 1)).applied).toBe(true);
  });
});
