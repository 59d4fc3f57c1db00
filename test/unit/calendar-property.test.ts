import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestInstant, type Period, periodAt, periodOfKey } from '../../src/core/period.ts';
import { seeded } from '../support/seed.ts';

const day = 86_400_000;
const timeZones = [
  'UTC',
  'Europe/Zurich',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'America/Scoresbysund',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];
const calendar = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

const from = Date.UTC(1960, 0, 1);
const to = Date.UTC(2060, 0, 1);
/** Also next to the turns of quarters of an hour, where every edge of a period lies. */
const instants = fc
  .record({
    instant: fc.integer({ min: from, max: to }),
    quarter: fc.boolean(),
    step: fc.constantFrom(-1, 0, 1),
  })
  .map(({ instant, quarter, step }) => (quarter ? instant - (instant % 900_000) + step : instant));

const longest = { DAILY: 2, WEEKLY: 8, MONTHLY: 32, YEARLY: 367 } as const;

function edgesOf(period: Period): [number, number] {
  if (period.startsAt === null || period.endsAt === null) throw new Error(`${period.key} has no edges`);
  return [period.startsAt, period.endsAt];
}

/** The local date by the runtime's own calendar. */
const localDate = (timeZone: string, instant: number) =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(instant);

describe('T1: every instant lies in exactly one period of each cadence', () => {
  it.each(timeZones)('in %s', (timeZone) => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...calendar), (instant, cadence) => {
        const period = periodAt(cadence, timeZone, instant);
        const [startsAt, endsAt] = edgesOf(period);
        expect(startsAt).toBeLessThanOrEqual(instant);
        expect(endsAt).toBeGreaterThan(instant);
        expect(endsAt - startsAt).toBeLessThan(longest[cadence] * day);
        // Nothing between it and its neighbours, nothing in both.
        const [, previousEnd] = edgesOf(periodAt(cadence, timeZone, startsAt - 1));
        const [nextStart] = edgesOf(periodAt(cadence, timeZone, endsAt));
        expect([previousEnd, nextStart]).toEqual([startsAt, endsAt]);
        // One key, one period.
        expect(periodOfKey(period.key, timeZone)).toEqual(period);
      }),
      seeded(150),
    );
  });

  it('named by the local date at its start', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...timeZones), (instant, timeZone) => {
        const keys = calendar.map((cadence) => {
          const period = periodAt(cadence, timeZone, instant);
          return [cadence, period.key, localDate(timeZone, edgesOf(period)[0])] as const;
        });
        for (const [cadence, key, date] of keys) {
          if (cadence !== 'WEEKLY') expect([cadence, key]).toEqual([cadence, date.slice(0, key.length)]);
        }
      }),
      seeded(600),
    );
  });

  it('whatever was asked before: an answer does not depend on what is remembered', () => {
    // 23:45 in St John's in 2010 for the second time that night; first with its day remembered, then without.
    const instant = Date.UTC(2010, 10, 7, 3, 15);
    const warm = periodAt('DAILY', 'America/St_Johns', Date.UTC(2010, 10, 7, 12));
    expect(periodAt('DAILY', 'America/St_Johns', instant)).toEqual(warm);
    for (let i = 0; i < 64; i += 1) periodAt('DAILY', 'America/St_Johns', latestInstant - i * day);
    expect(periodAt('DAILY', 'America/St_Johns', instant)).toEqual(warm);
  });
});
