import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareOrdered } from '../../src/core/order.ts';
import { Latest } from '../../src/live/latest.ts';
import type { Move } from '../../src/live/move.ts';
import { hasSeen, parsePosition, positionOf } from '../../src/live/position.ts';
import { RecentMoves } from '../../src/live/recent-moves.ts';
import { Ticker } from '../../src/live/ticker.ts';
import { seeded } from '../support/seed.ts';

describe('compareOrdered', () => {
  test('R1, R2: compares as the bytes of UTF-8 do, in the direction of the board', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 4 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const bytes = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(Math.sign(compareOrdered({ sortOrder: 'LOW_TO_HIGH' }, a, b))).toBe(bytes);
        expect(Math.sign(compareOrdered({ sortOrder: 'HIGH_TO_LOW' }, a, b))).toBe(-bytes + 0);
      }),
      seeded(1_000),
    );
    expect(compareOrdered({ sortOrder: 'LOW_TO_HIGH' }, '\u{1f600}', '\uffe1')).toBeGreaterThan(0);
  });
});

describe('positions', () => {
  const head = { epoch: 'e-1_x', version: 7, entryCount: 1, closed: null, held: true };
  const period = { key: '2026-W49', cadence: 'WEEKLY', startsAt: 0, endsAt: 1 } as const;

  test('are read as they were written', () => {
    expect(parsePosition(positionOf(period.key, head))).toEqual({ period: '2026-W49', epoch: 'e-1_x', version: 7 });
  });

  test.each([
    '',
    'all',
    'all/e',
    'all/e/x',
    'all/e/-1',
    'all/e/1/2',
    `${'a'.repeat(97)}/e/1`,
    'all/e/99999999999999999',
  ])('%j is none', (text) => expect(parsePosition(text)).toBeNull());

  test.each([
    ['2026-W49/e-1_x/7', true],
    ['2026-W49/e-1_x/8', true],
    ['2026-W49/e-1_x/6', false],
    ['2026-W49/other/8', false],
    ['2026-W48/e-1_x/8', false],
    ['nonsense', false],
  ])('who was at %s has seen version 7: %s', (position, seen) => {
    expect(hasSeen(position, { period, head })).toBe(seen);
  });
});

describe('Latest', () => {
  test('L3: keeps one value for who does not pull, and L5: ends once', async () => {
    let ends = 0;
    const latest = new Latest<number>(() => {
      ends += 1;
    });
    for (const value of [1, 2, 3]) latest.push(value);
    expect(await latest.next()).toEqual({ value: 3, done: false });
    const waiting = latest.next();
    latest.push(4);
    expect(await waiting).toEqual({ value: 4, done: false });
    const parked = latest.next();
    await latest.return();
    await latest.return();
    latest.push(5);
    expect(await parked).toEqual({ value: undefined, done: true });
    expect(await latest.next()).toEqual({ value: undefined, done: true });
    expect(ends).toBe(1);
  });
});

describe('RecentMoves', () => {
  const move = (version: number, memberId: string, key: number): Move => ({
    ...{
      version,
      memberId,
      fromIndex: 0,
      fromKey: key,
      toIndex: 0,
      toKey: key + 1,
      dropsScore: false,
      addsScore: false,
    },
    ...{ from: { key, ordered: memberId }, to: { key: key + 1, ordered: memberId }, standing: null },
  });

  test('tells where each was at first and is at last', () => {
    const recent = new RecentMoves();
    recent.reset(0);
    recent.add([move(1, 'a', 1), move(2, 'b', 5), move(3, 'a', 2)]);
    expect(recent.journeys(0, 3)).toMatchObject([
      { memberId: 'a', from: { key: 1 }, to: { key: 3 } },
      { memberId: 'b', from: { key: 5 }, to: { key: 6 } },
    ]);
    expect(recent.journeys(2, 3)).toMatchObject([{ memberId: 'a', from: { key: 2 }, to: { key: 3 } }]);
    expect([...recent.movedAfter(1)]).toEqual(['b', 'a']);
  });

  test('does not tell what it no longer or not yet knows', () => {
    const recent = new RecentMoves();
    expect(recent.journeys(0, 0)).toBeNull();
    recent.reset(5);
    expect(recent.journeys(4, 5)).toBeNull();
    expect(recent.journeys(5, 6)).toBeNull();
    expect(recent.journeys(5, 5)).toEqual([]);
    for (let i = 0; i < 20_000; i += 1) recent.add([move(6 + i, 'a', i)]);
    expect(recent.journeys(5, 20_005)).toBeNull();
    expect(recent.journeys(20_000, 20_005)).toHaveLength(1);
  });
});

describe('Ticker', () => {
  test('runs once for all who ask while it runs, and not after it was closed', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
    };
    const ticker = new Ticker(
      { tickMs: 1, pollMs: 60_000, staleMs: 1 },
      work,
      () => {},
      () => {},
    );
    await Promise.all([ticker.now(), ticker.now(), ticker.now()]);
    expect(runs).toBe(1);
    ticker.close();
    await ticker.now();
    expect(runs).toBe(1);
  });

  test('goes on after work that failed', async () => {
    let runs = 0;
    const work = () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const ticker = new Ticker(
      { tickMs: 1, pollMs: 60_000, staleMs: 1 },
      work,
      () => {},
      () => {},
    );
    await expect(ticker.now()).rejects.toThrow('away');
    await ticker.now();
    expect(runs).toBe(2);
    ticker.close();
  });
});
