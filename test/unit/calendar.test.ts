import { describe, expect, it } from 'vitest';
import {
  boardPeriodAt,
  comingPeriods,
  findPeriod,
  followedPeriod,
  getPeriod,
  isCopy,
  withSeason,
} from '../../src/core/calendar.ts';
import { type LeaderboardInput, makeRules, type Season } from '../../src/core/leaderboard.ts';
import { newBoard } from '../support/archived.ts';
import { refusalOf } from '../support/refusal.ts';

const hour = 3_600_000;
const at = (text: string) => Date.parse(text);
const spring: Season = { key: 'spring', startsAt: at('2026-03-01T00:00Z'), endsAt: at('2026-06-01T00:00Z') };
const summer: Season = { key: 'summer', startsAt: at('2026-07-01T00:00Z'), endsAt: at('2026-09-01T00:00Z') };
const boardOf = (input: LeaderboardInput = {}) =>
  makeRules('one', { cadences: ['DAILY', 'SEASON', 'ALL_TIME'], seasons: [spring, summer], ...input });
const keyOf = (period: { key: string } | null) => period?.key ?? null;

describe('T1: the period of an instant', () => {
  it.each([
    ['2026-02-28T23:59:59.999Z', null],
    ['2026-03-01T00:00:00.000Z', 'spring'],
    ['2026-05-31T23:59:59.999Z', 'spring'],
    ['2026-06-01T00:00:00.000Z', null],
    ['2026-07-01T00:00:00.000Z', 'summer'],
    ['2026-09-01T00:00:00.000Z', null],
  ])('at %s the season is %s', (instant, key) => {
    expect(keyOf(boardPeriodAt(boardOf(), 'SEASON', at(instant)))).toBe(key);
  });

  it('goes by the board’s zone and by when its days begin', () => {
    const board = boardOf({ timeZone: 'America/New_York', dayStartsAt: '05:30' });
    expect(keyOf(boardPeriodAt(board, 'DAILY', at('2026-11-30T10:29:59.999Z')))).toBe('2026-11-29');
    expect(keyOf(boardPeriodAt(board, 'DAILY', at('2026-11-30T10:30:00.000Z')))).toBe('2026-11-30');
    expect(keyOf(boardPeriodAt(board, 'ALL_TIME', 0))).toBe('all');
  });
});

describe('T1: days that begin late', () => {
  const zones = [
    'UTC',
    'Europe/Zurich',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Pacific/Apia',
  ];
  const starts = ['00:00', '00:30', '02:30', '05:00', '23:59'];

  it.each(zones.flatMap((timeZone) => starts.map((dayStartsAt) => ({ timeZone, dayStartsAt }))))(
    'in $timeZone at $dayStartsAt leave no gap and no overlap, and are found by their keys',
    ({ timeZone, dayStartsAt }) => {
      const board = boardOf({ timeZone, dayStartsAt });
      for (const from of ['2011-10-01T00:00Z', '2010-02-20T00:00Z', '2018-10-20T00:00Z']) {
        const days = comingPeriods(board, 'DAILY', at(from), 60);
        expect(days).toHaveLength(60);
        for (const [i, day] of days.entries()) {
          const next = days[i + 1];
          if (next) expect(next.startsAt, `after ${day.key}`).toBe(day.endsAt);
          expect(findPeriod(board, day.key)).toEqual(day);
          for (const instant of [day.startsAt ?? 0, (day.endsAt ?? 0) - 1]) {
            expect(boardPeriodAt(board, 'DAILY', instant)).toEqual(day);
          }
        }
      }
    },
  );
});

describe('coming periods', () => {
  it('begin with the open one, and are as many as asked', () => {
    const days = comingPeriods(boardOf({ timeZone: 'Europe/Zurich' }), 'DAILY', at('2026-10-24T21:59Z'), 3);
    expect(days.map(({ key, startsAt, endsAt }) => [key, ((endsAt ?? 0) - (startsAt ?? 0)) / hour])).toEqual([
      ['2026-10-24', 24],
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]);
  });

  it('of seasons are those that have not ended; of all time the only one', () => {
    const seasons = (text: string, count = 9) => comingPeriods(boardOf(), 'SEASON', at(text), count).map(keyOf);
    expect(seasons('2026-01-01T00:00Z')).toEqual(['spring', 'summer']);
    expect(seasons('2026-01-01T00:00Z', 1)).toEqual(['spring']);
    expect(seasons('2026-05-31T23:59Z')).toEqual(['spring', 'summer']);
    expect(seasons('2026-06-01T00:00Z')).toEqual(['summer']);
    expect(seasons('2026-09-01T00:00Z')).toEqual([]);
    expect(comingPeriods(boardOf(), 'ALL_TIME', 0, 9).map(keyOf)).toEqual(['all']);
  });
});

describe('L4: what a follower sees', () => {
  it('is the current period, and between seasons the last one', () => {
    const followed = (text: string) => keyOf(followedPeriod(boardOf(), 'SEASON', at(text)));
    expect(followed('2026-01-01T00:00Z')).toBeNull();
    expect(followed('2026-04-01T00:00Z')).toBe('spring');
    expect(followed('2026-06-15T00:00Z')).toBe('spring');
    expect(followed('2026-07-01T00:00Z')).toBe('summer');
    expect(followed('2030-01-01T00:00Z')).toBe('summer');
  });

  it('is that of the board’s first cadence unless told otherwise, and none of a cadence it has not', () => {
    expect(keyOf(followedPeriod(boardOf(), null, at('2026-01-01T00:00Z')))).toBe('2026-01-01');
    expect(followedPeriod(boardOf(), 'WEEKLY', 0)).toBeNull();
    expect(followedPeriod(boardOf({ cadences: ['DAILY'], seasons: [] }), 'SEASON', 0)).toBeNull();
  });
});

describe('keys', () => {
  it('name periods of the board’s cadences, seasons, snapshots and revisions', () => {
    const board = boardOf();
    for (const key of ['2026-11-30', 'spring', 'all', 'all@12', '2026-11-30~3', 'spring@0', 'spring~1']) {
      expect(findPeriod(board, key)?.key, key).toBe(key);
    }
    expect(findPeriod(board, 'spring@7')).toMatchObject({ ...spring, key: 'spring@7', cadence: 'SEASON' });
    expect(['all@1', '2026~1', 'all', 'spring'].map(isCopy)).toEqual([true, true, false, false]);
  });

  it.each([
    '2026',
    '2026-11',
    '2026-W49',
    'winter',
    'all@',
    'all@x',
    'all~',
    'all@1@2',
    'all~1~2',
    '@1',
    '~1',
    '',
    'all@12345678901234567',
  ])('%j names nothing on it', async (key) => {
    expect(findPeriod(boardOf(), key)).toBeNull();
    const board = newBoard({ cadences: ['DAILY', 'SEASON', 'ALL_TIME'], seasons: [spring] });
    expect(await refusalOf(() => getPeriod(board, key))).toBe('PERIOD_NOT_FOUND');
  });
});

describe('a season more', () => {
  const make = (key: string, startsAt: string, endsAt: string, most = 9) =>
    withSeason(boardOf(), { key, startsAt: at(startsAt), endsAt: at(endsAt) }, most).map((season) => season.key);

  it('fits between two that it touches', () => {
    expect(make('june', '2026-06-01T00:00Z', '2026-07-01T00:00Z')).toEqual(['spring', 'june', 'summer']);
  });

  it('takes the place of that of its key', () => {
    expect(make('spring', '2026-10-01T00:00Z', '2026-11-01T00:00Z')).toEqual(['summer', 'spring']);
    expect(make('spring', '2026-03-01T00:00Z', '2026-07-01T00:00Z', 2)).toEqual(['spring', 'summer']);
  });

  it.each([
    ['june', '2026-05-31T23:59:59.999Z', '2026-07-01T00:00Z'],
    ['june', '2026-06-01T00:00Z', '2026-07-01T00:00:00.001Z'],
    ['year', '2026-01-01T00:00Z', '2027-01-01T00:00Z'],
    ['none', '2026-06-02T00:00Z', '2026-06-02T00:00Z'],
    ['2026-w23', '2026-06-02T00:00Z', '2026-06-03T00:00Z'],
    ['all', '2026-06-02T00:00Z', '2026-06-03T00:00Z'],
  ])('%s from %s to %s is refused', async (key, startsAt, endsAt) => {
    expect(await refusalOf(() => make(key, startsAt, endsAt))).toBe('BAD_SEASON');
  });

  it('needs room, and a board that has seasons', async () => {
    expect(await refusalOf(() => make('june', '2026-06-01T00:00Z', '2026-07-01T00:00Z', 2))).toBe('BAD_SEASON');
    const daily = boardOf({ cadences: ['DAILY'], seasons: [] });
    expect(await refusalOf(() => withSeason(daily, spring, 9))).toBe('BAD_SEASON');
  });
});
