import { describe, expect, it } from 'vitest';
import { sortOrders } from '../../src/core/leaderboard.ts';
import { TestBoard } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

const minute = 60_000;

/** Member ids in board order. */
async function orderOf(one: TestBoard): Promise<string> {
  const { standings } = await one.page();
  return standings.map(({ memberId }) => memberId).join(' ');
}

const reachedBy = async (one: TestBoard, memberId: string) => {
  const { standings } = await one.page();
  const at = standings.find((standing) => standing.memberId === memberId)?.reachedAt ?? Number.NaN;
  return (at - one.now) / minute;
};

export function describeTies(context: StoreContext): void {
  describe.each(sortOrders)('R2, R3: ties by time, %s', (sortOrder) => {
    const [better, worse] = sortOrder === 'HIGH_TO_LOW' ? [9, 1] : [1, 9];
    /** Scores 5 at so many minutes from now. */
    const make = async (rules: Parameters<typeof TestBoard.make>[1], times: Record<string, number>) => {
      const one = await TestBoard.make(context.store, { sortOrder, ...rules });
      for (const [memberId, minutes] of Object.entries(times)) {
        await one.submit(memberId, 5, { occurredAt: one.now + minutes * minute });
      }
      return one;
    };
    const at = (one: TestBoard, minutes: number) => ({ occurredAt: one.now + minutes * minute });

    it('go by event time, then by arrival', async () => {
      const times = { late: -1, early: -9, middle: -5, middleToo: -5, aMiddleToo: -5 };
      const earliest = await make({ tieBreak: 'EARLIEST' }, times);
      expect(await orderOf(earliest)).toBe('early middle middleToo aMiddleToo late');
      const latest = await make({ tieBreak: 'LATEST' }, times);
      expect(await orderOf(latest)).toBe('late aMiddleToo middleToo middle early');
    });

    it('hold for times long ago', async () => {
      const one = await TestBoard.make(context.store, { sortOrder, tieBreak: 'EARLIEST' });
      const times = { b: Date.UTC(1872, 10, 30), c: -1, d: 0, e: 1 };
      for (const [memberId, occurredAt] of Object.entries(times)) await one.submit(memberId, 5, { occurredAt });
      const first = new Date('0001-01-02T00:00:00Z').getTime();
      await one.submit('a', 5, { occurredAt: first });
      const { standings } = await one.page();
      expect(standings.map(({ memberId, reachedAt }) => [memberId, reachedAt])).toEqual([
        ['a', first],
        ...Object.entries(times),
      ]);
    });

    it('do not move with a score that is not better, and move with one that is', async () => {
      const one = await make({ tieBreak: 'LATEST' }, { a: -9, b: -5, c: -1 });
      for (const score of [worse, 5]) expect(await one.submit('a', score)).toMatchObject({ applied: false });
      expect([await orderOf(one), await reachedBy(one, 'a')]).toEqual(['c b a', -9]);
      await one.submit('a', better, at(one, -3));
      for (const memberId of ['b', 'c']) await one.submit(memberId, better, at(one, -5));
      expect(await orderOf(one)).toBe('a c b');
    });

    it('EARLIEST: an equal best score that was reached earlier is an applied change, one reached later is none', async () => {
      const one = await make({ tieBreak: 'EARLIEST' }, { a: -5, b: -3, c: -1 });
      expect(await one.submit('c', 5, at(one, 0))).toMatchObject({ applied: false });
      expect(await one.submit('c', 5, at(one, -1))).toMatchObject({ applied: false });
      const moved = await one.submit('c', 5, at(one, -7));
      expect(moved).toMatchObject({
        applied: true,
        changes: [
          { outcome: 'APPLIED', version: 4, entry: { score: '5', index: 0 }, before: { score: '5', index: 2 } },
        ],
      });
      expect([await orderOf(one), await reachedBy(one, 'c')]).toEqual(['c a b', -7]);
    });

    it('of the latest score, an equal one changes nothing, however early', async () => {
      const one = await make({ tieBreak: 'EARLIEST', scorePolicy: 'LATEST' }, { a: -5, b: -3 });
      expect(await one.submit('b', 5, at(one, -9))).toMatchObject({ applied: false });
      await one.submit('b', 4, at(one, -9));
      await one.submit('b', 5, at(one, -2));
      expect([await orderOf(one), await reachedBy(one, 'b')]).toEqual(['a b', -2]);
    });

    it('of sums go by the latest contributing event', async () => {
      const one = await make({ tieBreak: 'EARLIEST', scorePolicy: 'SUM' }, { a: -4, b: -3, c: -5 });
      await one.submit('a', 1, at(one, -8));
      expect(await reachedBy(one, 'a')).toBe(-4);
      await one.submit('a', -1, at(one, -2));
      expect([await orderOf(one), await reachedBy(one, 'a')]).toEqual(['c b a', -2]);
      expect(await one.submit('a', 0, at(one, -1))).toMatchObject({ applied: false });
      expect(await reachedBy(one, 'a')).toBe(-2);
    });
  });

  describe.each(sortOrders)('R2: ties by sort key, %s', (sortOrder) => {
    const keys = ['', 'a', 'aa', 'ab', 'b', 'z', '~', 'é', '李', '😀'];
    const id = (i: number) => `m${(i * 7) % keys.length}`;

    it.each(['ASCENDING', 'DESCENDING'] as const)('of texts: %s', async (sortKeyOrder) => {
      const one = await TestBoard.make(context.store, { sortOrder, tieBreak: 'SORT_KEY', sortKeyOrder });
      for (const [i, sortKey] of keys.entries()) await one.submit(id(i), 5, { sortKey });
      const expected = keys.map((_, i) => id(i));
      expect(await orderOf(one)).toBe((sortKeyOrder === 'ASCENDING' ? expected : expected.toReversed()).join(' '));
    });

    it.each(['ASCENDING', 'DESCENDING'] as const)('of whole numbers: %s', async (sortKeyOrder) => {
      const rules = { sortOrder, tieBreak: 'SORT_KEY', sortKeyType: 'INTEGER', sortKeyOrder } as const;
      const one = await TestBoard.make(context.store, rules);
      const numbers = ['-9223372036854775808', '-10', '-9', '0', '9', '10', '9223372036854775807'];
      for (const [i, sortKey] of numbers.entries()) await one.submit(id(i), 5, { sortKey });
      await one.submit('none', 5);
      const expected = ['none', ...numbers.map((_, i) => id(i))];
      expect(await orderOf(one)).toBe((sortKeyOrder === 'ASCENDING' ? expected : expected.toReversed()).join(' '));
    });

    it('R3: another key is an applied change, with a worse score, an equal one, and none', async () => {
      const [better, worse] = sortOrder === 'HIGH_TO_LOW' ? [9, 1] : [1, 9];
      const one = await TestBoard.make(context.store, { sortOrder, tieBreak: 'SORT_KEY' });
      for (const sortKey of ['b', 'c', 'd']) await one.submit(sortKey, 5, { sortKey });
      const change = { outcome: 'APPLIED', entry: { score: '5', index: 0 }, before: { score: '5', index: 2 } };
      expect(await one.submit('d', worse, { sortKey: 'a' })).toMatchObject({ changes: [{ ...change, version: 4 }] });
      expect(await one.submit('c', 5, { sortKey: '9' })).toMatchObject({ changes: [{ ...change, version: 5 }] });
      expect(await one.submit('b', null, { sortKey: '8' })).toMatchObject({ changes: [{ ...change, version: 6 }] });
      expect(await orderOf(one)).toBe('b c d');
      // The same key again is none, and a score without a key leaves the key.
      expect(await one.submit('b', null, { sortKey: '8' })).toMatchObject({ applied: false });
      expect(await one.submit('b', 5)).toMatchObject({ applied: false });
      for (const memberId of ['d', 'b', 'c']) await one.submit(memberId, better);
      expect(await orderOf(one)).toBe('b c d');
    });

    it('of who is not ranked is skipped, and leaves nothing', async () => {
      const one = await TestBoard.make(context.store, { sortOrder, tieBreak: 'SORT_KEY' });
      const before = await one.dump();
      const skipped = [{ period: 'all', cadence: 'ALL_TIME', code: 'NOT_RANKED' }];
      expect(await one.submit('a', null, { sortKey: 'k' })).toMatchObject({ applied: false, changes: [], skipped });
      expect(await one.dump()).toEqual(before);
    });

    it('can be given to an entry that bounds set later would refuse', async () => {
      const one = await TestBoard.make(context.store, { sortOrder, tieBreak: 'SORT_KEY' });
      await one.submit('a', 50);
      await one.update({ maxScore: 10 });
      expect(await one.submit('a', null, { sortKey: 'k' })).toMatchObject({ applied: true });
      expect(await one.attempt('a', 50)).toEqual({ refused: 'SCORE_OUT_OF_RANGE' });
    });
  });

  describe('prefixes', () => {
    it('leave no trace of who is gone', async () => {
      const one = await TestBoard.make(context.store, { tieBreak: 'EARLIEST', denseRanks: true });
      const empty = await one.redisKeys();
      await one.submit('a', 5, { metadata: { n: 1 } });
      await one.submit('a', 6, { metadata: { n: 2 } });
      const key = (part: string) => `lb:{${one.key}}:all${part}`;
      const { redis } = context.store;
      expect([await redis.zcard(key('')), await redis.hlen(key('#tie')), await redis.zcard(key('#distinct'))]).toEqual([
        1, 1, 1,
      ]);
      await context.store.entries.removeEntry(one.board, 'a', ['all'], { now: one.now, evenClosed: false });
      const left = (await one.redisKeys()).filter((name) => !empty.includes(name));
      expect(left).toEqual(['#log', '#periods', ':all#meta'].map((part) => `lb:{${one.key}}${part}`).toSorted());
    });

    it('are none on boards by member id: the sorted set holds bare ids', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('u:1', 5);
      expect(await context.store.redis.zrange(`lb:{${one.key}}:all`, '0', '-1')).toEqual(['u:1']);
      expect(await context.store.redis.exists(`lb:{${one.key}}:all#tie`)).toBe(0);
    });

    it.each(['EARLIEST', 'LATEST', 'SORT_KEY'] as const)('part from ids that look like them: %s', async (tieBreak) => {
      const one = await TestBoard.make(context.store, { tieBreak });
      const ids = ['.', '~', '0.', '~a~', '0000000000000000000000', 'f.f', 'é~'];
      for (const memberId of ids) await one.submit(memberId, 5, { metadata: { memberId } });
      const { standings } = await one.page();
      expect(standings.map(({ memberId }) => memberId).toSorted()).toEqual(ids.toSorted());
      for (const { memberId, metadata } of standings) expect(metadata).toBe(JSON.stringify({ memberId }));
    });
  });

  describe('metadata', () => {
    const metadataOf = async (one: TestBoard) => (await one.page()).standings.map(({ metadata }) => metadata);

    it('is that of the score that counts', async () => {
      const one = await TestBoard.make(context.store);
      expect(await one.submit('a', 5, { metadata: { run: 1 } })).toMatchObject({
        changes: [{ entry: { metadata: '{"run":1}' } }],
      });
      expect(await one.submit('a', 3, { metadata: { run: 2 } })).toMatchObject({
        changes: [{ outcome: 'UNCHANGED', entry: { metadata: '{"run":1}' } }],
      });
      expect(await metadataOf(one)).toEqual(['{"run":1}']);
      await one.submit('a', 7, { metadata: { run: 3, text: 'é"\\' } });
      await one.submit('b', 6);
      expect(await metadataOf(one)).toEqual(['{"run":3,"text":"é\\"\\\\"}', null]);
      const { changes } = await one.submit('a', 8);
      expect(changes[0]?.entry).not.toHaveProperty('metadata');
      expect(await metadataOf(one)).toEqual([null, null]);
    });

    it('stays when only the sort key changes, and stays out of messages', async () => {
      const one = await TestBoard.make(context.store, { tieBreak: 'SORT_KEY' });
      await one.submit('a', 5, { metadata: { run: 1 }, sortKey: 'a' });
      await one.submit('a', null, { sortKey: 'b' });
      await one.submit('a', 3, { metadata: { run: 2 }, sortKey: 'c' });
      expect(await metadataOf(one)).toEqual(['{"run":1}']);
      const raw = await context.store.redis.xrange(`lb:{${one.key}}#log`, '-', '+');
      expect([raw.length, JSON.stringify(raw)]).toEqual([3, expect.not.stringContaining('run')]);
    });

    it('goes with its entry', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5, { metadata: { run: 1 } });
      await context.store.entries.removeEntry(one.board, 'a', ['all'], { now: one.now, evenClosed: false });
      await one.submit('a', 5);
      expect(await metadataOf(one)).toEqual([null]);
    });
  });
}
