import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { args, mutate, mutationCode, readBoard } from '../support/period-reader.ts';

interface Coming {
  readonly key: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly lengthSeconds: number;
  readonly state: string;
}

const app = clockedApp();

async function calendar(key: string, given: Record<string, unknown> = {}): Promise<Coming[]> {
  const selection = `calendar${args(given)} { key startsAt endsAt lengthSeconds state }`.replace(/"([A-Z_]+)"/g, '$1');
  return (await readBoard<{ calendar: Coming[] }>(app.api, key, selection)).calendar;
}

const hours = (all: readonly Coming[]) => all.map(({ key, lengthSeconds }) => [key, lengthSeconds / 3600]);

/** Each begins where the one before ends. */
function expectNoGap(all: readonly Coming[]): void {
  expect(all.slice(1).map(({ startsAt }) => startsAt)).toEqual(all.slice(0, -1).map(({ endsAt }) => endsAt));
}

describe('rule T1: the calendar ahead', () => {
  it('shows the day of 23 hours before it comes, and that of 25', async () => {
    const key = await app.api.createBoard({ cadences: ['DAILY'], timeZone: 'Europe/Zurich' });
    app.at('2026-03-27T22:59:59.999Z');
    const spring = await calendar(key, { next: 4 });
    expect(hours(spring)).toEqual([
      ['2026-03-27', 24],
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ]);
    expect(spring[2]).toMatchObject({ startsAt: '2026-03-28T23:00:00.000Z', endsAt: '2026-03-29T22:00:00.000Z' });
    expect(spring.map(({ state }) => state)).toEqual(['OPEN', 'UPCOMING', 'UPCOMING', 'UPCOMING']);
    app.at('2026-10-24T22:00:00.000Z');
    expect(hours(await calendar(key, { next: 2 }))).toEqual([
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]);
    const whole = await calendar(key, { next: 100 });
    expectNoGap(whole);
    expect((await calendar(key)).length).toBe(12);
  });

  it('moves the change of the clocks into the day in which it falls, where days start at five', async () => {
    const key = await app.api.createBoard({
      cadences: ['DAILY', 'WEEKLY'],
      timeZone: 'Europe/Zurich',
      dayStartsAt: '05:00',
    });
    app.at('2026-03-28T03:59:59.999Z');
    const days = await calendar(key, { next: 4 });
    expect(hours(days)).toEqual([
      ['2026-03-27', 24],
      ['2026-03-28', 23],
      ['2026-03-29', 24],
      ['2026-03-30', 24],
    ]);
    expect(days[1]).toMatchObject({ startsAt: '2026-03-28T04:00:00.000Z', endsAt: '2026-03-29T03:00:00.000Z' });
    expectNoGap(days);
    const weeks = await calendar(key, { cadence: 'WEEKLY', next: 2 });
    expect(hours(weeks)).toEqual([
      ['2026-W13', 167],
      ['2026-W14', 168],
    ]);
    expect(weeks[1]?.startsAt).toBe('2026-03-30T03:00:00.000Z');
    expect(await readBoard(app.api, key, 'dayStartsAt')).toEqual({ dayStartsAt: '05:00' });
  });

  it('has weeks, months and years at the ends of years, leap days, half hours and days that never were', async () => {
    const cadences = ['WEEKLY', 'MONTHLY', 'YEARLY', 'DAILY'];
    const key = await app.api.createBoard({ cadences, timeZone: 'Asia/Kolkata' });
    app.at('2026-12-27T18:30:00Z');
    expect((await calendar(key, { next: 3 })).map((one) => [one.key, one.startsAt])).toEqual([
      ['2026-W53', '2026-12-27T18:30:00.000Z'],
      ['2027-W01', '2027-01-03T18:30:00.000Z'],
      ['2027-W02', '2027-01-10T18:30:00.000Z'],
    ]);
    expect(hours(await calendar(key, { cadence: 'YEARLY', next: 2 }))).toEqual([
      ['2026', 8760],
      ['2027', 8760],
    ]);
    app.at('2028-02-28T12:00:00Z');
    expect((await calendar(key, { cadence: 'DAILY', next: 3 })).map((one) => one.key)).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]);
    const samoa = await app.api.createBoard({ cadences: ['DAILY'], timeZone: 'Pacific/Apia' });
    app.at('2011-12-29T12:00:00Z');
    const skipping = await calendar(samoa, { next: 3 });
    expect(skipping.map((one) => one.key)).toEqual(['2011-12-29', '2011-12-31', '2012-01-01']);
    expectNoGap(skipping);
  });

  it('is that of a cadence the board has, up to a hundred, and of a board for ever the one period', async () => {
    const key = await app.api.createBoard({ cadences: ['DAILY', 'ALL_TIME'] });
    expect(await calendar(key, { cadence: 'WEEKLY' })).toEqual([]);
    expect(await calendar(key, { cadence: 'SEASON' })).toEqual([]);
    expect(await calendar(key, { cadence: 'ALL_TIME' })).toEqual([
      { key: 'all', startsAt: null, endsAt: null, lengthSeconds: null, state: 'OPEN' },
    ]);
    for (const next of [0, -1, 101]) {
      const query = `query($key: String!) { leaderboard(key: $key) { calendar(next: ${next}) { key } } }`;
      expect(await app.api.code(query, { key })).toBe('PAGE_TOO_LARGE');
    }
  });
});

describe('rule T1: scores fall into the periods of the board’s own clock', () => {
  it.each([
    ['2026-03-29T02:59:59.999Z', '2026-03-28', '2026-W13'],
    ['2026-03-29T03:00:00.000Z', '2026-03-29', '2026-W13'],
    ['2026-03-30T02:59:59.999Z', '2026-03-29', '2026-W13'],
    ['2026-03-30T03:00:00.000Z', '2026-03-30', '2026-W14'],
    ['2026-10-25T03:59:59.999Z', '2026-10-24', '2026-W43'],
    ['2026-10-25T04:00:00.000Z', '2026-10-25', '2026-W43'],
  ])('at %s: %s and %s', async (instant, day, week) => {
    app.at(instant);
    const key = await app.api.createBoard({
      cadences: ['DAILY', 'WEEKLY'],
      timeZone: 'Europe/Zurich',
      dayStartsAt: '05:00',
    });
    const { changes } = await mutate<{ changes: object[] }>(
      app.api,
      'submitScore',
      { leaderboard: key, memberId: 'a', score: 1 },
      'changes { period { key state } }',
    );
    expect(changes).toEqual([{ period: { key: day, state: 'OPEN' } }, { period: { key: week, state: 'OPEN' } }]);
    expect(await readBoard(app.api, key, 'current { key } week: current(cadence: WEEKLY) { key }')).toEqual({
      current: { key: day },
      week: { key: week },
    });
  });

  it('days start at a time of the day, in a zone that there is', async () => {
    const create = (rules: object) =>
      mutationCode(app.api, 'createLeaderboard', { key: newBoardKey(), cadences: ['DAILY'], ...rules });
    for (const dayStartsAt of ['5:00', '24:00', '05:60', '05:00:00', '', 'noon']) {
      expect(await create({ dayStartsAt }), dayStartsAt).toBe('BAD_INPUT');
    }
    expect(await create({ dayStartsAt: '23:59' })).toBeNull();
    expect(await create({ timeZone: 'Europe/Nowhere' })).toBe('BAD_INPUT');
  });
});
