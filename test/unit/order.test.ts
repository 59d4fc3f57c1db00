import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LeaderboardInput, makeRules, sortKeyOrders, sortOrders } from '../../src/core/leaderboard.ts';
import { limits } from '../../src/core/limits.ts';
import { decodeOrdered, emptyPrefix, sortPrefix } from '../../src/core/order.ts';
import { refusalOf } from '../support/refusal.ts';
import { seeded } from '../support/seed.ts';

const boardOf = (input: LeaderboardInput) => makeRules('goals', { tieBreak: 'SORT_KEY', ...input });
const directions = sortOrders.flatMap((sortOrder) =>
  sortKeyOrders.map((sortKeyOrder) => [sortOrder, sortKeyOrder] as const),
);

/** Board order of two entries of one score, as Redis reads what the sorted set holds. */
const redisOrder = (sortOrder: string, a: string, b: string) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)) * (sortOrder === 'HIGH_TO_LOW' ? -1 : 1);

describe.each(directions)('R2: sort keys on %s boards, %s', (sortOrder, sortKeyOrder) => {
  const sign = sortKeyOrder === 'ASCENDING' ? 1 : -1;
  const text = boardOf({ sortOrder, sortKeyOrder });
  const integer = boardOf({ sortOrder, sortKeyOrder, sortKeyType: 'INTEGER' });
  const ordered = (board: typeof text, sortKey: string, memberId = 'm') =>
    `${sortPrefix(board, { sortKey })}${memberId}`;

  it('of texts are in the order of their bytes, a before ab both ways', () => {
    const key = fc.string({ unit: 'grapheme', maxLength: 8 });
    fc.assert(
      fc.property(key, key, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b, first, second) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b)) * sign;
        if (expected === 0) return;
        expect(redisOrder(sortOrder, ordered(text, a, first), ordered(text, b, second))).toBe(expected);
      }),
      seeded(1000),
    );
    expect(redisOrder(sortOrder, ordered(text, 'a', 'z'), ordered(text, 'ab', 'a'))).toBe(-sign);
    expect(redisOrder(sortOrder, ordered(text, '', 'z'), ordered(text, 'a', 'a'))).toBe(-sign);
  });

  it('of whole numbers are in the order of their values, missing ones as the least', () => {
    const number = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -20n, max: 20n }));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const order = redisOrder(sortOrder, ordered(integer, String(a)), ordered(integer, String(b)));
        expect(order + 0).toBe((a < b ? -1 : a > b ? 1 : 0) * sign + 0);
        expect(redisOrder(sortOrder, `${emptyPrefix(integer)}m`, ordered(integer, String(a)))).toBe(-sign);
      }),
      seeded(1000),
    );
  });

  it('part from the id again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (key, memberId) => {
          expect(decodeOrdered(text, ordered(text, key, memberId))).toEqual({ memberId, reachedAt: null });
          expect(decodeOrdered(text, emptyPrefix(text) + memberId)).toEqual({ memberId, reachedAt: null });
        },
      ),
      seeded(500),
    );
  });
});

describe('R2: sort keys', () => {
  const text = boardOf({});
  const integer = boardOf({ sortKeyType: 'INTEGER' });

  it('of a caller win over names', () => {
    const fromKey = sortPrefix(text, { sortKey: 'x' });
    expect(sortPrefix(text, { sortKey: 'x', sortName: 'Zoë' })).toBe(fromKey);
    expect(sortPrefix(text, { sortName: 'Zoë' })).toBe(sortPrefix(text, { sortKey: 'zoe' }));
    expect(sortPrefix(text, {})).toBeNull();
    expect(sortPrefix(text, { sortKey: '' })).toBe(emptyPrefix(text));
  });

  it('of a caller that are too long are refused, those of a name are cut', async () => {
    const longest = 'x'.repeat(limits.sortKeyBytes);
    const whole = sortPrefix(text, { sortKey: longest });
    expect(await refusalOf(() => sortPrefix(text, { sortKey: `${longest}x` }))).toBe('BAD_SORT_KEY');
    expect(await refusalOf(() => sortPrefix(text, { sortKey: 'é'.repeat(33) }))).toBe('BAD_SORT_KEY');
    expect(sortPrefix(text, { sortName: `${longest}yz` })).toBe(whole);
  });

  it.each(['a\n', '\0', '\ud83d'])('may not hold %j', async (sortKey) => {
    expect(await refusalOf(() => sortPrefix(text, { sortKey }))).toBe('BAD_SORT_KEY');
  });

  it.each(['', '1.5', 'x', '1e3', ' 1', '0x10', '9223372036854775808', '-9223372036854775809', '1'.repeat(20)])(
    'of whole numbers may not be %j',
    async (sortKey) => {
      expect(await refusalOf(() => sortPrefix(integer, { sortKey }))).toBe('BAD_SORT_KEY');
    },
  );

  it('of whole numbers may be written in several ways', () => {
    expect(sortPrefix(integer, { sortKey: '+007' })).toBe(sortPrefix(integer, { sortKey: '7' }));
    expect(sortPrefix(integer, { sortKey: '-0' })).toBe(sortPrefix(integer, { sortKey: '0' }));
  });

  it('are refused where the board has none, names where it takes numbers', async () => {
    for (const tieBreak of ['MEMBER_ID', 'EARLIEST', 'LATEST'] as const) {
      expect(await refusalOf(() => sortPrefix(boardOf({ tieBreak }), { sortKey: 'a' }))).toBe('BAD_SORT_KEY');
      expect(await refusalOf(() => sortPrefix(boardOf({ tieBreak }), { sortName: 'a' }))).toBe('BAD_SORT_KEY');
      expect([sortPrefix(boardOf({ tieBreak }), {}), emptyPrefix(boardOf({ tieBreak }))]).toEqual([null, '']);
    }
    expect(await refusalOf(() => sortPrefix(integer, { sortName: 'a' }))).toBe('BAD_SORT_KEY');
  });
});
