import { describe, expect, it } from 'vitest';
import { scorePolicies, sortOrders } from '../../src/core/leaderboard.ts';
import type { Submitted } from '../../src/core/submission.ts';
import { TestBoard } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

/** What is left of 5 after each of these scores: policy, order, score → stored. */
const outcomes = [
  ['BEST', 'HIGH_TO_LOW', 7, 7],
  ['BEST', 'HIGH_TO_LOW', 3, 5],
  ['BEST', 'HIGH_TO_LOW', 5, 5],
  ['BEST', 'HIGH_TO_LOW', -7, 5],
  ['BEST', 'LOW_TO_HIGH', 7, 5],
  ['BEST', 'LOW_TO_HIGH', 3, 3],
  ['BEST', 'LOW_TO_HIGH', 5, 5],
  ['BEST', 'LOW_TO_HIGH', 0, 0],
  ['LATEST', 'HIGH_TO_LOW', 3, 3],
  ['LATEST', 'HIGH_TO_LOW', 5, 5],
  ['LATEST', 'LOW_TO_HIGH', 7, 7],
  ['LATEST', 'LOW_TO_HIGH', -7, -7],
  ['SUM', 'HIGH_TO_LOW', 3, 8],
  ['SUM', 'HIGH_TO_LOW', -5, 0],
  ['SUM', 'HIGH_TO_LOW', 0, 5],
  ['SUM', 'LOW_TO_HIGH', -9, -4],
  ['SUM', 'LOW_TO_HIGH', 0, 5],
] as const;

export function describeScores(context: StoreContext): void {
  describe('scores by policy and order', () => {
    it.each(outcomes)('%s %s: 5, then %i, is %i', async (scorePolicy, sortOrder, score, stored) => {
      const one = await TestBoard.make(context.store, { scorePolicy, sortOrder });
      await one.submit('a', 5);
      const outcome = await one.submit('a', score);
      expect(outcome.applied).toBe(stored !== 5);
      expect(outcome.changes).toMatchObject([
        { outcome: stored === 5 ? 'UNCHANGED' : 'APPLIED', entry: { score: String(stored) }, before: { score: '5' } },
      ]);
      expect(await one.order()).toEqual([`a ${stored}`]);
    });

    it.each(scorePolicies)('a first score counts as it is, whatever the policy: %s', async (scorePolicy) => {
      const one = await TestBoard.make(context.store, { scorePolicy });
      const { changes } = await one.submit('a', -3);
      expect(changes).toEqual([
        {
          period: 'all',
          outcome: 'APPLIED',
          late: false,
          version: 1,
          entry: { score: '-3', ordered: 'a', index: 0, rank: 1, ties: 1, total: 1 },
        },
      ]);
    });

    it('a policy of its own overrides that of the board for one score', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'BEST' });
      await one.submit('a', 5);
      expect(await one.submit('a', 2, { scorePolicy: 'LATEST' })).toMatchObject({
        changes: [{ entry: { score: '2' } }],
      });
      expect(await one.submit('a', 2, { scorePolicy: 'SUM' })).toMatchObject({ changes: [{ entry: { score: '4' } }] });
      expect(await one.submit('a', 3)).toMatchObject({ applied: false, changes: [{ entry: { score: '4' } }] });
    });
  });

  describe('S1: stored scores are exact', () => {
    it.each([
      '9007199254740991',
      '-9007199254740991',
      '9007199254740990',
      '999999999999999',
      '1000000000000000',
      '100000000000000000'.slice(0, 15),
      '-1000000000000',
      '123456789012345',
    ])('%s goes in and out', async (score) => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'LATEST' });
      // In a small sorted set and, after that, in a large one.
      expect(await one.submit('a', score)).toMatchObject({ changes: [{ entry: { score } }] });
      await one.fill(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`m${i}`, i])));
      expect(await one.submit('a', 1)).toMatchObject({ changes: [{ entry: { score: '1' }, before: { score } }] });
      expect(await one.submit('b', score)).toMatchObject({ changes: [{ entry: { score } }] });
      expect(await one.order()).toContain(`b ${score}`);
      expect(await one.submit('b', score)).toMatchObject({ applied: false, changes: [{ entry: { score } }] });
    });

    it('sums are exact up to the edge of the range, and refused beyond', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.submit('a', '9007199254740000');
      expect(await one.submit('a', '991')).toMatchObject({ changes: [{ entry: { score: '9007199254740991' } }] });
      for (const more of ['1', '2', '9007199254740991']) {
        expect(await one.attempt('a', more)).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      }
      expect(await one.submit('a', '-9007199254740991')).toMatchObject({ changes: [{ entry: { score: '0' } }] });
      await one.submit('a', '-9007199254740991');
      expect(await one.attempt('a', '-1')).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      expect(await one.order()).toEqual(['a -9007199254740991']);
    });

    it('with decimals the range ends at 15 digits', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', scoreScale: 2 });
      await one.submit('a', '999999999999998');
      expect(await one.attempt('a', '2')).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      expect(await one.submit('a', '1')).toMatchObject({ changes: [{ entry: { score: '999999999999999' } }] });
    });

    it('a sum that comes back to nothing is 0, not −0', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.submit('a', '-5');
      expect(await one.submit('a', '5')).toMatchObject({ changes: [{ entry: { score: '0' } }] });
      expect(await context.store.redis.zscore(`lb:{${one.key}}:all`, 'a')).toBe('0');
    });

    it('bounds of the board hold for scores and for sums', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', minScore: -2, maxScore: 5 });
      await one.submit('a', 5);
      await one.submit('b', -2);
      for (const [memberId, score] of [
        ['a', 1],
        ['b', -1],
        ['c', 6],
        ['c', -3],
      ] as const) {
        expect(await one.attempt(memberId, score)).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      }
      expect(await one.order()).toEqual(['a 5', 'b -2']);
      await one.update({ maxScore: 6, minScore: null });
      await one.submit('a', 1);
      await one.submit('b', -10);
    });
  });

  describe('S2: 0 and negative scores are scores', () => {
    it.each(sortOrders)('%s', async (sortOrder) => {
      const one = await TestBoard.make(context.store, { sortOrder });
      await one.fill({ zero: 0, minus: -1, plus: 1 });
      const highFirst = ['plus 1', 'zero 0', 'minus -1'];
      expect(await one.order()).toEqual(sortOrder === 'HIGH_TO_LOW' ? highFirst : highFirst.toReversed());
      const { changes } = await one.submit('zero', 0);
      expect(changes).toMatchObject([
        { outcome: 'UNCHANGED', entry: { score: '0', index: 1 }, before: { score: '0', index: 1 } },
      ]);
    });
  });

  describe('S3: what changes nothing', () => {
    it.each([
      ['not better', 'BEST', 3],
      ['equal', 'BEST', 5],
      ['the same again', 'LATEST', 5],
      ['+0', 'SUM', 0],
    ] as const)('%s is a success that changes nothing and says nothing', async (_, scorePolicy, score) => {
      const one = await TestBoard.make(context.store, { scorePolicy, cadences: ['ALL_TIME', 'DAILY'] });
      await one.fill({ top: 9, a: 5, b: 5 });
      const dump = await one.dump();
      const { changes, ...outcome } = await one.submit('a', score);
      expect(outcome).toMatchObject({ applied: false, duplicate: false, skipped: [] });
      // The entry as stored, not the attempt.
      const before = { score: '5', ordered: 'a', index: 2, rank: 2 };
      const entry = { ...before, ties: 2, total: 3 };
      expect(changes).toEqual(
        ['all', '2026-11-30'].map((period) => ({
          ...{ period, outcome: 'UNCHANGED', late: false, version: 3 },
          entry,
          before,
        })),
      );
      // No version, no log entry, nothing.
      expect(await one.dump()).toEqual(dump);
    });
  });

  describe('S4: one submission, all its periods, one step', () => {
    it('tells of each period what it did there', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      await one.fill({ a: 9, b: 8, c: 8 });
      one.now += 86_400_000;
      await one.submit('b', 4);
      const outcome = await one.submit('a', 6);
      expect(outcome.applied).toBe(true);
      expect(outcome.changes).toEqual([
        {
          ...{ period: 'all', outcome: 'UNCHANGED', late: false, version: 3 },
          entry: { score: '9', ordered: 'a', index: 0, rank: 1, ties: 1, total: 3 },
          before: { score: '9', ordered: 'a', index: 0, rank: 1 },
        },
        {
          ...{ period: '2026-12-01', outcome: 'APPLIED', late: false, version: 2 },
          entry: { score: '6', ordered: 'a', index: 0, rank: 1, ties: 1, total: 2 },
        },
      ]);
      expect(await one.order()).toEqual(['a 9', 'c 8', 'b 8']);
      expect(await one.order('2026-12-01')).toEqual(['a 6', 'b 4']);
    });

    it('gives rank, index and ties before and after', async () => {
      const one = await TestBoard.make(context.store, { sortOrder: 'LOW_TO_HIGH' });
      await one.fill({ a: 10, b: 20, c: 20, d: 20, e: 30 });
      const { changes } = await one.submit('e', 20);
      expect(changes).toEqual([
        {
          ...{ period: 'all', outcome: 'APPLIED', late: false, version: 6 },
          entry: { score: '20', ordered: 'e', index: 4, rank: 2, ties: 4, total: 5 },
          before: { score: '30', ordered: 'e', index: 4, rank: 5 },
        },
      ]);
      const { changes: first } = await one.submit('d', 10);
      expect(first).toMatchObject([
        { entry: { score: '10', index: 1, rank: 1, ties: 2 }, before: { score: '20', index: 3, rank: 2 } },
      ]);
    });

    it('is refused for all periods before the first write', async () => {
      const one = await TestBoard.make(context.store, {
        scorePolicy: 'SUM',
        maxScore: 10,
        cadences: ['DAILY', 'ALL_TIME'],
      });
      await one.submit('a', 8);
      one.now += 86_400_000;
      const before = await one.dump();
      // Fine for its new day, too much for all time.
      expect(await one.attempt('a', 3, { idempotencyKey: 'k' })).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      expect(await one.dump()).toEqual(before);
      await one.submit('a', 2, { idempotencyKey: 'k' });
      expect([await one.order(), await one.order('2026-12-01')]).toEqual([['a 10'], ['a 2']]);
    });

    it('sees what the one before it in the same step did, and leaves the others alone when it is refused', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', maxScore: 10 });
      const scores = [
        ['a', 6],
        ['b', 7],
        ['a', 5],
        ['a', 4],
        ['b', 1],
        ['c', 11],
      ] as const;
      const results = await one.step(scores.map(([memberId, score]) => one.submission(memberId, score)));
      expect(results).toMatchObject([
        { changes: [{ entry: { score: '6', index: 0 }, version: 1 }] },
        { changes: [{ entry: { score: '7', index: 0 }, version: 2 }] },
        { refused: 'SCORE_OUT_OF_RANGE' },
        { changes: [{ entry: { score: '10', index: 0 }, before: { index: 1 }, version: 3 }] },
        { changes: [{ entry: { score: '8', index: 1 }, version: 4 }] },
        { refused: 'SCORE_OUT_OF_RANGE' },
      ]);
      expect(await one.order()).toEqual(['a 10', 'b 8']);
    });
  });

  describe('S5: idempotency keys', () => {
    const keyOf = (one: TestBoard, key: string) => `lb:{${one.key}}#idem:${key}`;

    it('make a retry return the first result, and change nothing', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', cadences: ['ALL_TIME', 'DAILY'] });
      const first = await one.submit('a', 5, { idempotencyKey: 'k', occurredAt: one.now });
      await one.submit('b', 9);
      const before = await one.dump();
      one.now += 60_000;
      const retry = await one.submit('a', 5, { idempotencyKey: 'k', occurredAt: one.now - 60_000 });
      expect(first.duplicate).toBe(false);
      expect(retry).toEqual({ ...first, duplicate: true });
      expect(await one.dump()).toEqual(before);
    });

    it('make a retry within one step one too', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      const twice = [1, 2].map(() => one.submission('a', 5, { idempotencyKey: 'k' }));
      const [first, second] = (await one.step(twice)) as Submitted[];
      expect(second).toEqual({ ...first, duplicate: true });
      expect(await one.order()).toEqual(['a 5']);
    });

    it('are refused with other arguments', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5, { idempotencyKey: 'k' });
      const before = await one.dump();
      expect(await one.attempt('a', 6, { idempotencyKey: 'k' })).toEqual({ refused: 'IDEMPOTENCY_CONFLICT' });
      expect(await one.attempt('b', 5, { idempotencyKey: 'k' })).toEqual({ refused: 'IDEMPOTENCY_CONFLICT' });
      expect(await one.dump()).toEqual(before);
    });

    it('remember a result that changed nothing', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5);
      const first = await one.submit('a', 3, { idempotencyKey: 'k' });
      await one.submit('a', 9);
      expect(await one.submit('a', 3, { idempotencyKey: 'k' })).toEqual({ ...first, applied: false, duplicate: true });
    });

    it('live for a day', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5, { idempotencyKey: 'clé 🔑 {x}' });
      const ttlMs = await context.store.redis.pttl(keyOf(one, 'clé 🔑 {x}'));
      expect(ttlMs).toBeGreaterThan(86_400_000 - 60_000);
      expect(ttlMs).toBeLessThanOrEqual(86_400_000);
    });

    it('are not kept for a write that was refused', async () => {
      const one = await TestBoard.make(context.store, { maxScore: 5, cadences: ['DAILY'] });
      const before = await one.redisKeys();
      expect(await one.attempt('a', 6, { idempotencyKey: 'k' })).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
      const late = await one.submit('a', 5, { idempotencyKey: 'k', occurredAt: one.now - 86_400_000 });
      expect(late).toMatchObject({ applied: false, skipped: [{ code: 'PERIOD_CLOSED' }] });
      expect(await one.redisKeys()).toEqual(before);
      // So it can be sent again once it is right.
      expect(await one.submit('a', 5, { idempotencyKey: 'k' })).toMatchObject({ applied: true, duplicate: false });
    });
  });
}
