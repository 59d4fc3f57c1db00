import { describe, expect, it } from 'vitest';
import {
  type Cadence,
  checkTimeZone,
  earliestInstant,
  latestInstant,
  periodAt,
  periodOfKey,
} from '../../src/core/period.ts';

const hour = 3_600_000;
const calendar = ['ALL_TIME', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const at = (text: string) => Date.parse(text);
const keyAt = (cadence: Exclude<Cadence, 'SEASON'>, timeZone: string, text: string) =>
  periodAt(cadence, timeZone, at(text)).key;
const edges = (key: string, timeZone: string) => {
  const { startsAt, endsAt } = periodOfKey(key, timeZone) ?? { startsAt: null, endsAt: null };
  return [startsAt, endsAt].map((edge) => (edge === null ? null : new Date(edge).toISOString()));
};
const hours = (key: string, timeZone: string) => {
  const period = periodOfKey(key, timeZone);
  return ((period?.endsAt ?? 0) - (period?.startsAt ?? 0)) / hour;
};

describe('T1: ISO weeks at the ends of years', () => {
  it.each([
    ['2026-12-27T23:59:59.999Z', '2026-W52'],
    ['2026-12-28T00:00:00Z', '2026-W53'],
    ['2027-01-03T23:59:59.999Z', '2026-W53'],
    ['2027-01-04T00:00:00Z', '2027-W01'],
    ['2021-01-03T12:00:00Z', '2020-W53'],
    ['2021-01-04T00:00:00Z', '2021-W01'],
    ['2024-12-29T12:00:00Z', '2024-W52'],
    ['2024-12-30T00:00:00Z', '2025-W01'],
    ['2018-12-31T00:00:00Z', '2019-W01'],
    ['2023-01-01T12:00:00Z', '2022-W52'],
    ['2026-11-30T12:00:00Z', '2026-W49'],
  ])('%s is in %s', (instant, key) => {
    expect(keyAt('WEEKLY', 'UTC', instant)).toBe(key);
  });

  it('belong to the week of the zone, not of UTC', () => {
    expect(keyAt('WEEKLY', 'Pacific/Auckland', '2027-01-03T11:00:00Z')).toBe('2027-W01');
    expect(keyAt('WEEKLY', 'America/New_York', '2027-01-04T04:59:59Z')).toBe('2026-W53');
  });
});

describe('T1: daylight saving time', () => {
  it.each([
    ['Europe/Zurich', '2026-03-29', 23],
    ['Europe/Zurich', '2026-10-25', 25],
    ['Europe/Zurich', '2026-10-24', 24],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Europe/Zurich', '2026-W13', 167],
    ['Europe/Zurich', '2026-W43', 169],
    ['Europe/Zurich', '2026-03', 31 * 24 - 1],
    ['Europe/Zurich', '2026-10', 31 * 24 + 1],
    ['America/New_York', '2026', 365 * 24],
  ])('in %s, %s has %d hours', (timeZone, key, length) => {
    expect(hours(key, timeZone)).toBe(length);
  });

  it('moves the edges of days', () => {
    expect(edges('2026-03-29', 'Europe/Zurich')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
    expect(edges('2026-10-25', 'Europe/Zurich')).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  it('may skip midnight: the day begins at one', () => {
    expect(edges('2018-11-04', 'America/Sao_Paulo')).toEqual(['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z']);
    expect(keyAt('DAILY', 'America/Sao_Paulo', '2018-11-04T02:59:59.999Z')).toBe('2018-11-03');
    expect(keyAt('DAILY', 'America/Sao_Paulo', '2018-11-04T03:00:00Z')).toBe('2018-11-04');
    expect(hours('2018-02-17', 'America/Sao_Paulo')).toBe(25);
  });

  it('may go back across midnight: the evening that comes again belongs to the day that had begun', () => {
    // In St John's clocks went from 00:01 on 7 November 2010 back to 23:01 on the 6th.
    expect(edges('2010-11-07', 'America/St_Johns')).toEqual(['2010-11-07T02:30:00.000Z', '2010-11-08T03:30:00.000Z']);
    for (const minute of ['02:30', '02:31', '03:00', '03:29', '03:31']) {
      const instant = `2010-11-07T${minute}:00Z`;
      expect([minute, keyAt('DAILY', 'America/St_Johns', instant)]).toEqual([minute, '2010-11-07']);
      expect([minute, keyAt('WEEKLY', 'America/St_Johns', instant)]).toEqual([minute, '2010-W44']);
    }
  });
});

describe('T1: unusual zones and days', () => {
  it('half hours', () => {
    expect(edges('2026-11-30', 'Asia/Kolkata')).toEqual(['2026-11-29T18:30:00.000Z', '2026-11-30T18:30:00.000Z']);
    expect(keyAt('MONTHLY', 'Asia/Kolkata', '2026-11-30T18:30:00Z')).toBe('2026-12');
    expect(keyAt('YEARLY', 'Asia/Kathmandu', '2026-12-31T18:15:00Z')).toBe('2027');
  });

  it('a day that was skipped is no period, and its neighbours touch', () => {
    expect(periodOfKey('2011-12-30', 'Pacific/Apia')).toBeNull();
    expect(edges('2011-12-29', 'Pacific/Apia')[1]).toBe('2011-12-30T10:00:00.000Z');
    expect(edges('2011-12-31', 'Pacific/Apia')[0]).toBe('2011-12-30T10:00:00.000Z');
    expect(hours('2011-W52', 'Pacific/Apia')).toBe(6 * 24);
    expect(periodOfKey('2011-12-30', 'Pacific/Auckland')?.key).toBe('2011-12-30');
  });

  it('leap days', () => {
    expect(keyAt('DAILY', 'UTC', '2024-02-29T12:00:00Z')).toBe('2024-02-29');
    expect(hours('2024-02', 'UTC')).toBe(29 * 24);
    expect(hours('2024', 'UTC')).toBe(366 * 24);
    expect(hours('2100', 'UTC')).toBe(365 * 24);
    expect(periodOfKey('2023-02-29', 'UTC')).toBeNull();
    expect(periodOfKey('2100-02-29', 'UTC')).toBeNull();
    expect(periodOfKey('2000-02-29', 'UTC')?.key).toBe('2000-02-29');
  });

  it('the first and the last years', () => {
    expect(edges('0001', 'UTC')).toEqual(['0001-01-01T00:00:00.000Z', '0002-01-01T00:00:00.000Z']);
    expect(edges('9999-12-31', 'UTC')).toEqual(['9999-12-31T00:00:00.000Z', '+010000-01-01T00:00:00.000Z']);
    expect(periodOfKey('0001-W01', 'UTC')?.key).toBe('0001-W01');
    expect(periodOfKey('0099-12', 'UTC')?.key).toBe('0099-12');
    for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']) {
      for (const [instant, dayStart] of [
        [earliestInstant, 0],
        [earliestInstant, 780],
        [latestInstant, 0],
      ] as const) {
        const keys = calendar.map((cadence) => periodAt(cadence, timeZone, instant, dayStart).key);
        for (const key of keys) expect(periodOfKey(key, timeZone)?.key).toBe(key);
        expect(keys.join(' ')).toMatch(/^all \d{4}-\d\d-\d\d \d{4}-W\d\d \d{4}-\d\d \d{4}$/);
      }
    }
  });
});

describe('period keys', () => {
  it('name the whole of a board', () => {
    const all = { key: 'all', cadence: 'ALL_TIME', startsAt: null, endsAt: null };
    expect(periodOfKey('all', 'UTC')).toEqual(all);
    expect(periodAt('ALL_TIME', 'Europe/Zurich', 0)).toEqual(all);
  });

  it.each([
    ['2026-11-30', 'DAILY'],
    ['2026-W49', 'WEEKLY'],
    ['2026-11', 'MONTHLY'],
    ['2026', 'YEARLY'],
  ])('%s is %s', (key, cadence) => {
    expect(periodOfKey(key, 'UTC')).toMatchObject({ key, cadence });
  });

  it.each([
    '',
    'ALL',
    'all ',
    '0000',
    '0000-01-01',
    '0000-W10',
    '10000',
    '-001',
    '26',
    '2026-00',
    '2026-13',
    '2026-1',
    '2026-W00',
    '2026-W54',
    '2025-W53',
    '2026-W1',
    '2026-w01',
    '2026-01-00',
    '2026-02-30',
    '2026-04-31',
    '2026-1-1',
    '2026-01-01T00:00',
    '2026-01-01\n',
    '２０２６',
  ])('%j is none', (key) => {
    expect(periodOfKey(key, 'UTC')).toBeNull();
  });
});

describe('time zones', () => {
  it('keep the name given, in its usual case', () => {
    const names = [
      'Europe/Zurich',
      'Asia/Kolkata',
      'Europe/Kyiv',
      'UTC',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
    ];
    expect(names.map(checkTimeZone)).toEqual(names);
    expect(checkTimeZone('europe/zurich')).toBe('Europe/Zurich');
  });

  it.each(['', 'Mars/Phobos', '+05:30', '-08:00', 'Europe', '2020-01-01T00:00Z', 'Europe/Zurich '])(
    '%j is none',
    (name) => {
      expect(checkTimeZone(name)).toBeNull();
    },
  );
});
