import { describe, expect, it } from 'vitest';
import { Boards } from '../../src/core/boards.ts';
import { DenseIndex } from '../../src/core/dense-index.ts';
import { limits } from '../../src/core/limits.ts';
import { TestBoard } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

export function describeCapped(context: StoreContext): void {
  describe('boards that keep their best', () => {
    it('take out the last entry when a better one comes, as a change of its own', async () => {
      const one = await TestBoard.make(context.store, { maxEntries: 2, tieBreak: 'EARLIEST', denseRanks: true });
      await one.submit('a', 5, { metadata: { n: 1 } });
      await one.submit('b', 7);
      const { changes } = await one.submit('c', 6);
      expect(changes).toMatchObject([
        { outcome: 'APPLIED', version: 3, entry: { index: 1, rank: 2, dense: 2, total: 2 } },
      ]);
      expect(await one.order()).toEqual(['b 7', 'c 6']);
      expect(await one.head()).toMatchObject({ version: 4, entryCount: 2 });
      const messages = await one.log();
      expect(messages.at(-1)?.changes).toMatchObject([
        { outcome: 'APPLIED', version: 3 },
        { outcome: 'EVICTED', version: 4, member: 'a', before: { score: '5', index: 2, rank: 3, dense: 3 } },
      ]);
      const { redis } = context.store;
      expect(await redis.hkeys(`lb:{${one.key}}:all#tie`)).toEqual(expect.arrayContaining(['b', 'c']));
      expect(await redis.hexists(`lb:{${one.key}}:all#tie`, 'a')).toBe(0);
      expect(await redis.exists(`lb:{${one.key}}:all#metadata`)).toBe(0);
      expect(await redis.zrange(`lb:{${one.key}}:all#distinct`, '0', '-1')).toEqual(['6', '7']);
    });

    it('refuse what does not make the cut, and nothing is left of it', async () => {
      const one = await TestBoard.make(context.store, { maxEntries: 2, tieBreak: 'EARLIEST', denseRanks: true });
      await one.fill({ a: 5, b: 7 });
      const before = await one.dump();
      const { applied, changes } = await one.submit('c', 4, { metadata: { n: 1 } });
      expect({ applied, changes }).toEqual({
        applied: false,
        changes: [{ period: 'all', outcome: 'BELOW_CUT', late: false, version: 2 }],
      });
      // Equal and later is below too.
      expect(await one.submit('c', 5)).toMatchObject({ applied: false, changes: [{ outcome: 'BELOW_CUT' }] });
      expect(await one.dump()).toEqual(before);
    });

    it('let their own members get worse', async () => {
      const one = await TestBoard.make(context.store, { maxEntries: 2, scorePolicy: 'LATEST' });
      await one.fill({ a: 5, b: 7 });
      expect(await one.submit('b', 1)).toMatchObject({ applied: true, changes: [{ entry: { index: 1 } }] });
      expect(await one.order()).toEqual(['a 5', 'b 1']);
    });
  });

  describe('R4: dense ranks', () => {
    const denseOf = async (one: TestBoard) => (await one.page()).standings.map(({ denseRank }) => denseRank);
    const distinct = (one: TestBoard) => context.store.redis.zrange(`lb:{${one.key}}:all#distinct`, '0', '-1');

    it('count distinct better scores, whatever comes and goes', async () => {
      const one = await TestBoard.make(context.store, { denseRanks: true, scorePolicy: 'LATEST' });
      await one.fill({ a: 9, b: 7, c: 7, d: 5 });
      expect(await denseOf(one)).toEqual([1, 2, 2, 3]);
      await one.submit('b', 9);
      expect(await denseOf(one)).toEqual([1, 1, 2, 3]);
      const { changes } = await one.submit('c', 5);
      expect(changes).toMatchObject([{ entry: { dense: 2, rank: 3 }, before: { dense: 2, rank: 3 } }]);
      expect([await denseOf(one), await distinct(one)]).toEqual([
        [1, 1, 2, 2],
        ['5', '9'],
      ]);
      for (const memberId of ['a', 'b']) {
        await context.store.entries.removeEntry(one.board, memberId, ['all'], { now: one.now, evenClosed: false });
      }
      expect([await denseOf(one), await distinct(one)]).toEqual([[1, 1], ['5']]);
    });

    it('are built in steps on a board that has entries, and shown when they are complete', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'], scorePolicy: 'LATEST' });
      const count = limits.indexStep + 20;
      const score = (i: number) => Math.floor(i / 2);
      await one.fill(Object.fromEntries(Array.from({ length: 2 * count }, (_, i) => [`m${i}`, score(i)])));
      await one.update({ denseRanks: true });
      expect([one.board.denseReady, (await denseOf(one))[0]]).toEqual([false, null]);
      const step = () => context.store.entries.indexStep(one.board, 'all');
      expect(await step()).toBe(true);
      expect(await distinct(one)).toHaveLength(limits.indexStep);
      // What is written meanwhile is kept, before and behind the builder.
      await one.fill({ above: 100_000, below: -100_000, m0: 7, m1: 7, m2: 90_000 });
      expect(await step()).toBe(false);
      expect(await step()).toBe(false);
      const held = new Set((await one.page()).standings.map((standing) => standing.score));
      expect(new Set(await distinct(one))).toEqual(held);
      expect((await denseOf(one))[0]).toBeNull();
    });

    it('of every period come by themselves, once they are asked for', async () => {
      const boards = new Boards(context.store.definitions);
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      await one.fill({ a: 9, b: 7, c: 7, d: 5 });
      await boards.update(one.key, { denseRanks: true });
      const index = new DenseIndex(boards, context.store.entries, { info: () => undefined });
      expect(await index.progress(await one.find())).toBe(0);
      // Every period is complete, and yet nothing is shown before the board says so.
      for (const period of ['all', '2026-11-30'])
        while (await context.store.entries.indexStep(await one.find(), period));
      expect(await index.progress(await one.find())).toBeLessThan(1);
      await index.build(one.key);
      expect(await index.progress(await one.find())).toBe(1);
      for (const period of ['all', '2026-11-30']) {
        const { standings } = await one.page({}, period);
        expect(standings.map(({ denseRank }) => denseRank)).toEqual([1, 2, 2, 3]);
      }
      await boards.update(one.key, { rankMethod: 'DENSE' });
      // Given up, the index goes at once; asked for again it is built anew.
      await boards.update(one.key, { rankMethod: 'COMPETITION', denseRanks: false });
      expect((await one.redisKeys()).filter((key) => /#(dense|distinct)/.test(key))).toEqual([]);
      expect(await index.progress(await one.find())).toBeNull();
      await one.submit('e', 6);
      await boards.update(one.key, { denseRanks: true });
      await index.build(one.key);
      await one.find();
      expect(await denseOf(one)).toEqual([1, 2, 2, 3, 4]);
    });
  });
}
