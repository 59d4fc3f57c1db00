import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { mutate, mutationCode, readBoard, readPeriod } from '../support/period-reader.ts';

interface Seasons {
  readonly calendar: readonly { key: string; startsAt: string; endsAt: string }[];
}

const app = clockedApp();

const start = '2026-01-10T12:00:00.000Z';
const spring = { key: 'spring', startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-06-01T00:00:00.000Z' };
const summer = { key: 'summer', startsAt: spring.endsAt, endsAt: '2026-09-01T00:00:00.000Z' };

async function seasonBoard(rules: object = {}): Promise<string> {
  app.at(start);
  const key = await app.api.createBoard({ cadences: ['ALL_TIME', 'SEASON'], ...rules });
  for (const season of [summer, spring]) await change('createSeason', key, season);
  return key;
}

const change = (field: string, leaderboard: string, season: object) =>
  mutate<{ leaderboard: { key: string } }>(app.api, field, { leaderboard, ...season }, 'leaderboard { key }');
const code = (field: string, leaderboard: string, season: object) =>
  mutationCode(app.api, field, { leaderboard, ...season });

const coming = (key: string) =>
  readBoard<Seasons>(app.api, key, 'calendar(cadence: SEASON) { key startsAt endsAt }').then(
    ({ calendar }) => calendar,
  );

const submit = (leaderboard: string, memberId: string, score: number, more: object = {}) =>
  mutate<{ applied: boolean; changes: object[]; skipped: object[] }>(
    app.api,
    'submitScore',
    { leaderboard, memberId, score, ...more },
    'applied changes { late period { key } entry { score rank } } skipped { period cadence code message }',
  );

describe('seasons', () => {
  it('come in the order of their time, and show their length and edges', async () => {
    const key = await seasonBoard();
    expect(await coming(key)).toEqual([spring, summer]);
    expect(
      await readPeriod(app.api, key, 'key cadence state lengthSeconds startsAt endsAt entryCount version', 'spring'),
    ).toEqual({
      ...spring,
      cadence: 'SEASON',
      state: 'UPCOMING',
      lengthSeconds: 92 * 86_400,
      entryCount: 0,
      version: 0,
    });
  });

  it.each<[string, object]>([
    ['overlaps one at its start', { startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-03-01T00:00:00.001Z' }],
    ['overlaps one at its end', { startsAt: '2026-08-31T23:59:59.999Z', endsAt: '2026-10-01T00:00:00Z' }],
    ['lies within one', { startsAt: '2026-04-01T00:00:00Z', endsAt: '2026-05-01T00:00:00Z' }],
    ['holds them all', { startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' }],
    ['ends before it starts', { startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-11-01T00:00:00Z' }],
    ['has no length', { startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' }],
    ['would have ended already', { startsAt: '2025-12-01T00:00:00Z', endsAt: '2026-01-10T12:00:00Z' }],
    ['has the key of another', { key: 'spring', startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-02T00:00:00Z' }],
    ...['all', '2026', '2026-12', '2026-w01', '2026-12-01'].map((key): [string, object] => [
      `is called ${key}`,
      { key, startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-02T00:00:00Z' },
    ]),
  ])('one that %s is refused, and leaves the others as they are', async (_, season) => {
    const key = await seasonBoard();
    expect(await code('createSeason', key, { key: 'other', ...season })).toBe('BAD_SEASON');
    expect(await coming(key)).toEqual([spring, summer]);
  });

  it('have keys as boards have, a board with the cadence, and may touch', async () => {
    const key = await seasonBoard();
    const autumn = { startsAt: summer.endsAt, endsAt: '2026-12-01T00:00:00.000Z' };
    for (const bad of ['Autumn', '', 'a b', 'a@1', 'a~1', '_a']) {
      expect(await code('createSeason', key, { key: bad, ...autumn }), bad).toBe('BAD_KEY');
    }
    expect(await code('createSeason', key, { key: 'autumn', ...autumn })).toBeNull();
    const other = await app.api.createBoard({ cadences: ['DAILY'] });
    expect(await code('createSeason', other, { key: 'autumn', ...autumn })).toBe('BAD_SEASON');
    expect(await code('createSeason', 'no-such-board', { key: 'autumn', ...autumn })).toBe('LEADERBOARD_NOT_FOUND');
  });

  it('can be moved until they begin, as long as none overlaps', async () => {
    const key = await seasonBoard();
    await change('updateSeason', key, { key: 'spring', startsAt: '2026-02-01T00:00:00.000Z' });
    expect(await coming(key)).toEqual([{ ...spring, startsAt: '2026-02-01T00:00:00.000Z' }, summer]);
    expect(await code('updateSeason', key, { key: 'spring', endsAt: '2026-06-01T00:00:00.001Z' })).toBe('BAD_SEASON');
    expect(await code('updateSeason', key, { key: 'spring', endsAt: '2026-01-31T00:00:00Z' })).toBe('BAD_SEASON');
    expect(await code('updateSeason', key, { key: 'winter', endsAt: '2026-12-31T00:00:00Z' })).toBe('PERIOD_NOT_FOUND');
    const early = { startsAt: '2026-01-10T12:00:00.001Z', endsAt: '2026-01-10T12:00:00.002Z' };
    await change('updateSeason', key, { key: 'summer', ...early });
    expect((await coming(key)).map((season) => season.key)).toEqual(['summer', 'spring']);
    app.at('2026-02-01T00:00:00.000Z');
    expect(await code('updateSeason', key, { key: 'spring', endsAt: '2026-05-01T00:00:00Z' })).toBe('BAD_SEASON');
  });

  it('between them nothing is current, and a score says NO_SEASON while the other periods take it', async () => {
    const key = await seasonBoard();
    expect(await readBoard(app.api, key, 'current { key } season: current(cadence: SEASON) { key }')).toEqual({
      current: { key: 'all' },
      season: null,
    });
    const skip = { period: null, cadence: 'SEASON', code: 'NO_SEASON', message: expect.stringMatching(/season/) };
    expect(await submit(key, 'ann', 5)).toEqual({
      applied: true,
      changes: [{ late: false, period: { key: 'all' }, entry: { score: 5, rank: 1 } }],
      skipped: [skip],
    });
    const only = await app.api.createBoard({ cadences: ['SEASON'] });
    expect(await submit(only, 'ann', 5)).toEqual({ applied: false, changes: [], skipped: [skip] });
  });

  it('roll over at the instant at which one ends and the next begins', async () => {
    const key = await seasonBoard();
    const seasons = async () =>
      (await readBoard<{ season: object }>(app.api, key, 'season: current(cadence: SEASON) { key state }')).season;
    app.at('2026-05-31T23:59:59.999Z');
    expect(await seasons()).toEqual({ key: 'spring', state: 'OPEN' });
    expect((await submit(key, 'ann', 5)).changes).toMatchObject([
      { period: { key: 'all' } },
      { period: { key: 'spring' } },
    ]);
    app.at(summer.startsAt);
    expect(await seasons()).toEqual({ key: 'summer', state: 'OPEN' });
    expect((await submit(key, 'bob', 3)).changes).toMatchObject([
      { entry: { rank: 2 } },
      { period: { key: 'summer' }, entry: { rank: 1 } },
    ]);
    app.at(summer.endsAt);
    expect(await seasons()).toBeNull();
    expect(await readPeriod(app.api, key, 'state entryCount entry(memberId: "ann") { score }', 'spring')).toEqual({
      state: 'CLOSED',
      entryCount: 1,
      entry: { score: 5 },
    });
  });

  it('can be ended while they run: late scores for the grace, then none', async () => {
    const key = await seasonBoard({ graceSeconds: 60 });
    expect(await code('endSeason', key, { key: 'spring' })).toBe('BAD_SEASON');
    app.at('2026-04-01T10:00:00.250Z');
    await submit(key, 'ann', 5);
    await change('endSeason', key, { key: 'spring' });
    const selection = 'state endsAt closesAt lengthSeconds';
    const ended = {
      endsAt: '2026-04-01T10:00:00.250Z',
      closesAt: '2026-04-01T10:01:00.250Z',
      lengthSeconds: 31 * 86_400 + 36_000.25,
    };
    expect(await readPeriod(app.api, key, selection, 'spring')).toEqual({ state: 'GRACE', ...ended });
    expect(await readBoard(app.api, key, 'current(cadence: SEASON) { key }')).toEqual({ current: null });
    const before = { occurredAt: '2026-04-01T09:00:00Z' };
    expect((await submit(key, 'bob', 6, before)).changes).toMatchObject([
      {},
      { late: true, period: { key: 'spring' } },
    ]);
    expect((await submit(key, 'bob', 7)).skipped).toMatchObject([{ code: 'NO_SEASON' }]);
    app.at(ended.closesAt);
    expect((await submit(key, 'bob', 8, before)).skipped).toMatchObject([{ period: 'spring', code: 'PERIOD_CLOSED' }]);
    expect(await code('endSeason', key, { key: 'spring' })).toBe('BAD_SEASON');
    // Its time is free again, from its end on.
    const rest = { key: 'late-spring', startsAt: '2026-04-01T10:00:00.250Z', endsAt: spring.endsAt };
    expect(await code('createSeason', key, rest)).toBeNull();
    expect(await readPeriod(app.api, key, 'state entryCount', 'spring')).toEqual({ state: 'CLOSED', entryCount: 2 });
  });
});
