import { describe, expect, it } from 'vitest';
import {
  checkKey,
  closesAt,
  immutableRules,
  type Leaderboard,
  type LeaderboardInput,
  makeRules,
  stateOf,
} from '../../src/core/leaderboard.ts';
import { limits } from '../../src/core/limits.ts';
import { periodOfKey } from '../../src/core/period.ts';
import { refusalOf } from '../support/refusal.ts';

const defaults = {
  title: 'goals',
  sortOrder: 'HIGH_TO_LOW',
  scorePolicy: 'BEST',
  tieBreak: 'MEMBER_ID',
  sortKeyType: 'TEXT',
  sortKeyOrder: 'ASCENDING',
  sortLocale: 'en',
  naturalNumbers: false,
  rankMethod: 'COMPETITION',
  denseRanks: false,
  denseReady: false,
  maxEntries: null,
  scoreScale: 0,
  minScore: null,
  maxScore: null,
  cadences: ['ALL_TIME'],
  timeZone: 'UTC',
  dayStartMinutes: 0,
  seasons: [],
  retentionSeconds: 90 * 24 * 3600,
  archive: true,
  archiveRetentionSeconds: null,
  graceSeconds: 0,
  backfill: false,
};

describe('the rules of a board', () => {
  it('have defaults', () => {
    expect(makeRules('goals', {})).toEqual(defaults);
    expect(makeRules('goals', { title: undefined, minScore: undefined, scoreScale: undefined })).toEqual(defaults);
  });

  it('are what was given', () => {
    const input: LeaderboardInput = {
      title: 'Marathon, Zürich',
      sortOrder: 'LOW_TO_HIGH',
      scorePolicy: 'LATEST',
      tieBreak: 'SORT_KEY',
      sortKeyType: 'INTEGER',
      sortKeyOrder: 'DESCENDING',
      sortLocale: 'zh-cn',
      naturalNumbers: true,
      rankMethod: 'ORDINAL',
      denseRanks: true,
      maxEntries: 100,
      scoreScale: 3,
      minScore: -0.5,
      maxScore: 7200.25,
      cadences: ['YEARLY', 'ALL_TIME'],
      timeZone: 'europe/zurich',
      seasons: [],
      retentionSeconds: 3600,
      archive: false,
      archiveRetentionSeconds: 7200,
      graceSeconds: 3600,
      backfill: true,
    };
    expect(makeRules('goals', { ...input, dayStartsAt: '05:30' })).toEqual({
      ...input,
      dayStartMinutes: 330,
      sortLocale: 'zh-CN',
      denseReady: true,
      minScore: '-500',
      maxScore: '7200250',
      timeZone: 'Europe/Zurich',
    });
  });

  it('change on what was: what is left out stays, null takes a bound away', () => {
    const before = makeRules('goals', { title: 'Goals', minScore: 1, maxScore: 9.5, scoreScale: 1, graceSeconds: 60 });
    expect(makeRules('goals', { graceSeconds: 5 }, before)).toEqual({ ...before, graceSeconds: 5 });
    expect(makeRules('goals', { minScore: null }, before)).toEqual({ ...before, minScore: null });
    expect(makeRules('goals', { maxScore: 2.5 }, before)).toEqual({ ...before, maxScore: '25' });
  });

  it('S2: take 0 as a bound like any other', () => {
    expect(makeRules('goals', { minScore: 0, maxScore: 0 })).toMatchObject({ minScore: '0', maxScore: '0' });
    expect(makeRules('goals', { minScore: -3, maxScore: -2 })).toMatchObject({ minScore: '-3', maxScore: '-2' });
  });

  const refused: [LeaderboardInput, string][] = [
    [{ title: '' }, 'BAD_INPUT'],
    [{ title: 'x'.repeat(limits.titleBytes + 1) }, 'BAD_INPUT'],
    [{ title: 'a\nb' }, 'BAD_INPUT'],
    [{ scoreScale: -1 }, 'BAD_INPUT'],
    [{ scoreScale: 10 }, 'BAD_INPUT'],
    [{ scoreScale: 0.5 }, 'BAD_INPUT'],
    [{ scoreScale: Number.NaN }, 'BAD_INPUT'],
    [{ minScore: 0.5 }, 'SCORE_TOO_PRECISE'],
    [{ maxScore: 1.25, scoreScale: 1 }, 'SCORE_TOO_PRECISE'],
    [{ maxScore: 2 ** 53 }, 'SCORE_OUT_OF_RANGE'],
    [{ minScore: Number.NaN }, 'SCORE_OUT_OF_RANGE'],
    [{ minScore: Number.NEGATIVE_INFINITY }, 'SCORE_OUT_OF_RANGE'],
    [{ minScore: 2, maxScore: 1 }, 'BAD_INPUT'],
    // As texts, 10 comes before 9.
    [{ minScore: 10, maxScore: 9 }, 'BAD_INPUT'],
    [{ minScore: -9, maxScore: -10 }, 'BAD_INPUT'],
    [{ cadences: [] }, 'BAD_INPUT'],
    [{ cadences: ['DAILY', 'ALL_TIME', 'DAILY'] }, 'BAD_INPUT'],
    [{ timeZone: 'Mars/Phobos' }, 'BAD_INPUT'],
    [{ timeZone: '+01:00' }, 'BAD_INPUT'],
    [{ timeZone: '' }, 'BAD_INPUT'],
    [{ graceSeconds: -1 }, 'BAD_INPUT'],
    [{ graceSeconds: 0.5 }, 'BAD_INPUT'],
    [{ graceSeconds: 366 * 86_400 + 1 }, 'BAD_INPUT'],
    [{ graceSeconds: Number.POSITIVE_INFINITY }, 'BAD_INPUT'],
    [{ maxEntries: 0 }, 'BAD_INPUT'],
    [{ maxEntries: 1.5 }, 'BAD_INPUT'],
    [{ maxEntries: 10, scorePolicy: 'SUM' }, 'BAD_INPUT'],
    [{ sortLocale: 'not a locale' }, 'BAD_INPUT'],
    [{ sortLocale: '' }, 'BAD_INPUT'],
    [{ rankMethod: 'DENSE', denseRanks: false }, 'BAD_INPUT'],
  ];

  it.each(refused)('refuse %o with %s', async (input, code) => {
    expect(await refusalOf(() => makeRules('goals', input))).toBe(code);
  });

  it('hold at their limits', () => {
    for (const input of [
      { title: 'x'.repeat(limits.titleBytes) },
      { scoreScale: 9 },
      { graceSeconds: 366 * 86_400 },
      { minScore: 9, maxScore: 10 },
      { minScore: 5, maxScore: 5 },
    ]) {
      expect(() => makeRules('goals', input)).not.toThrow();
    }
  });

  it('are checked as a whole after a change', async () => {
    const before = makeRules('goals', { minScore: 5 });
    expect(await refusalOf(() => makeRules('goals', { maxScore: 4 }, before))).toBe('BAD_INPUT');
  });

  it('that scores and periods are stored by are fixed', () => {
    const order = ['sortKeyOrder', 'sortKeyType', 'sortOrder', 'tieBreak'];
    expect([...immutableRules].sort()).toEqual([
      'cadences',
      'dayStartMinutes',
      'maxEntries',
      'scoreScale',
      ...order,
      'timeZone',
    ]);
  });
});

describe('R4: the index of distinct scores', () => {
  const plain = makeRules('goals', {});

  it('is complete at once on a new board, and comes with DENSE ranks', () => {
    expect(makeRules('goals', { denseRanks: true })).toMatchObject({ denseRanks: true, denseReady: true });
    expect(makeRules('goals', { rankMethod: 'DENSE' })).toMatchObject({ denseRanks: true, denseReady: true });
  });

  it('has to be built on a board that exists, before its ranks are shown', async () => {
    const asked = makeRules('goals', { denseRanks: true }, plain);
    expect(asked).toMatchObject({ denseRanks: true, denseReady: false });
    expect(await refusalOf(() => makeRules('goals', { rankMethod: 'DENSE' }, plain))).toBe('BAD_INPUT');
    expect(await refusalOf(() => makeRules('goals', { rankMethod: 'DENSE' }, asked))).toBe('BAD_INPUT');
    const built = { ...asked, denseReady: true };
    expect(makeRules('goals', { rankMethod: 'DENSE' }, built)).toMatchObject({ rankMethod: 'DENSE', denseReady: true });
    expect(makeRules('goals', { title: 'New' }, built)).toMatchObject({ denseReady: true });
  });

  it('goes only where no ranks need it', async () => {
    const dense = makeRules('goals', { rankMethod: 'DENSE' });
    expect(await refusalOf(() => makeRules('goals', { denseRanks: false }, dense))).toBe('BAD_INPUT');
    const without = { denseRanks: false, denseReady: false };
    expect(makeRules('goals', { denseRanks: false, rankMethod: 'ORDINAL' }, dense)).toMatchObject(without);
  });
});

describe('keys of boards', () => {
  it.each(['a', '0', 'goals-2026_q1', 'a'.repeat(64)])('may be %s', (key) => {
    expect(checkKey(key)).toBe(key);
  });

  it.each(['', 'Goals', '-a', '_a', 'a b', 'a:b', 'a#b', '{a}', 'é', 'a\n', 'a'.repeat(65)])(
    'may not be %j',
    async (key) => {
      expect(await refusalOf(() => checkKey(key))).toBe('BAD_KEY');
    },
  );
});

describe('T2: the state of a period', () => {
  const board: Leaderboard = {
    ...makeRules('goals', { cadences: ['DAILY'], graceSeconds: 600 }),
    key: 'goals',
    version: 1,
    incarnation: 'i',
    epoch: 'e',
  };
  const period = periodOfKey('2026-11-30', 'UTC');
  const all = periodOfKey('all', 'UTC');
  if (!period || !all) throw new Error('no period');
  const starts = Date.UTC(2026, 10, 30);
  const ends = Date.UTC(2026, 11, 1);

  it.each([
    ['UPCOMING', starts - 1],
    ['OPEN', starts],
    ['OPEN', ends - 1],
    ['GRACE', ends],
    ['GRACE', ends + 599_999],
    ['CLOSED', ends + 600_000],
  ])('is %s by the calendar', (state, now) => {
    expect(stateOf(board, period, now)).toBe(state);
  });

  it('has no grace where the board has none', () => {
    expect(stateOf({ ...board, graceSeconds: 0 }, period, ends)).toBe('CLOSED');
  });

  it('stays in grace under a hold, and is not opened early by it', () => {
    const held = { ...board, backfill: true };
    expect(stateOf(held, period, ends + 10 * 365 * 86_400_000)).toBe('GRACE');
    expect(stateOf(held, period, starts - 1)).toBe('UPCOMING');
  });

  it('is open for ever where there is no end', () => {
    expect(stateOf(board, all, Date.UTC(9999, 11, 30))).toBe('OPEN');
    expect([closesAt(board, all), closesAt(board, period)]).toEqual([null, ends + 600_000]);
  });
});
