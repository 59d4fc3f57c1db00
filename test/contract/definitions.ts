import { describe, expect, it } from 'vitest';
import { makeRules } from '../../src/core/leaderboard.ts';
import { StaleBoard } from '../../src/core/ports.ts';
import { driftOf, type PageRead } from '../../src/core/reading.ts';
import { fenceOf } from '../../src/redis/fence.ts';
import { asList } from '../../src/redis/fenced.ts';
import { keys } from '../../src/redis/keys.ts';
import { holdAsAnotherProcess } from '../support/another-process.ts';
import { refusalOf } from '../support/refusal.ts';
import { newBoardKey, TestBoard, wholePage } from '../support/store.ts';
import { until } from '../support/until.ts';
import type { StoreContext } from './describe-store.ts';

export function describeDefinitions(context: StoreContext): void {
  describe('definitions', () => {
    it('come back as they were made', async () => {
      const key = newBoardKey();
      const rules = makeRules(key, {
        title: 'Zürich 🏃 "1:2"',
        sortOrder: 'LOW_TO_HIGH',
        scorePolicy: 'SUM',
        rankMethod: 'ORDINAL',
        scoreScale: 3,
        minScore: 0,
        maxScore: 99.5,
        // The first one is what callers get who name none.
        cadences: ['WEEKLY', 'ALL_TIME', 'DAILY'],
        timeZone: 'Asia/Kolkata',
        graceSeconds: 60,
        backfill: true,
      });
      const made = await context.store.definitions.create(key, rules);
      expect(made).toEqual({ ...rules, key, version: 1, incarnation: made.incarnation, epoch: made.epoch });
      for (const id of [made.incarnation, made.epoch]) expect(id).toMatch(/^[\w-]{16}$/);
      expect(await context.other.definitions.find(key)).toEqual(made);
    });

    it('without bounds come back without bounds', async () => {
      const { key, board } = await TestBoard.make(context.store);
      expect(await context.other.definitions.find(key)).toEqual(board);
      expect(board).toMatchObject({ minScore: null, maxScore: null, backfill: false });
    });

    it('exist once', async () => {
      const { key, board } = await TestBoard.make(context.store, { title: 'first' });
      const again = () => context.other.definitions.create(key, makeRules(key, { title: 'second' }));
      expect(await refusalOf(again)).toBe('LEADERBOARD_EXISTS');
      expect(await context.other.definitions.find(key)).toEqual(board);
      expect(await context.store.definitions.find(newBoardKey())).toBeNull();
    });

    it('of another Laurel, which say something else, are refused and not taken for none', async () => {
      const { store } = context;
      const { key } = await TestBoard.make(store);
      await store.redis.hset(keys.definition(key), 'rankMethod', 'OLYMPIC');
      await expect(context.other.definitions.find(key)).rejects.toThrow('unknown rankMethod');
      await store.redis.hdel(keys.definition(key), 'fence');
      await expect(context.other.definitions.find(key)).rejects.toThrow('no fence');
    });

    it('change, one after another', async () => {
      const one = await TestBoard.make(context.store, { minScore: 1, maxScore: 9 });
      const stale = one.board;
      await one.update({ title: 'New', minScore: null, maxScore: 5 });
      expect(one.board).toMatchObject({ version: 2, title: 'New', minScore: null, maxScore: '5' });
      expect(one.board.incarnation).toBe(stale.incarnation);
      expect(await context.other.definitions.find(one.key)).toEqual(one.board);
      await expect(context.store.definitions.update(stale, stale)).rejects.toBeInstanceOf(StaleBoard);
      expect(await context.other.definitions.find(one.key)).toEqual(one.board);
    });

    it('are remembered while changes are heard of, and change in every process', async () => {
      const one = await TestBoard.make(context.store);
      expect(await context.other.definitions.find(one.key)).toBe(await context.other.definitions.find(one.key));
      await one.update({ title: 'New' });
      await until(async () => (await context.other.definitions.find(one.key))?.title === 'New');
      await context.store.definitions.remove(one.board);
      await until(async () => (await context.other.definitions.find(one.key)) === null);
    });

    it('are not remembered when they changed while they were loaded', async () => {
      const { key } = await TestBoard.make(context.store);
      const loading = context.other.definitions.find(key);
      // As when the message of the change overtakes the reply.
      context.other.definitions.forget(key);
      const loaded = await loading;
      const again = await context.other.definitions.find(key);
      expect(again).toEqual(loaded);
      expect(again).not.toBe(loaded);
    });

    it('are not remembered while changes are not heard of', async () => {
      const { key } = await TestBoard.make(context.store);
      const { definitions } = context.other;
      definitions.listening(false);
      try {
        expect(await definitions.find(key)).not.toBe(await definitions.find(key));
      } finally {
        definitions.listening(true);
      }
    });

    it('are listed by key, both ways', async () => {
      const prefix = newBoardKey().slice(0, 30);
      const keys = ['-', '0', '_', 'a', 'b'].map((end) => `${prefix}${end}`);
      for (const key of keys.toReversed()) await TestBoard.make(context.store, {}, key);
      const list = (after: string | null, before: string | null, count: number, fromEnd = false) =>
        context.store.definitions.keys({ after, before, count, fromEnd });
      const end = `${prefix}z`;
      expect(await list(prefix, end, 9)).toEqual(keys);
      expect(await list(prefix, end, 2)).toEqual(keys.slice(0, 2));
      expect(await list(`${prefix}0`, end, 2)).toEqual(keys.slice(2, 4));
      expect(await list(prefix, `${prefix}a`, 2, true)).toEqual(keys.slice(1, 3));
      expect(await list(`${prefix}b`, end, 2)).toEqual([]);
      expect((await list(null, null, 10_000)).filter((key) => key.startsWith(prefix))).toEqual(keys);
    });

    it('are counted', async () => {
      const before = await context.store.definitions.count();
      const one = await TestBoard.make(context.store);
      expect(await context.store.definitions.count()).toBe(before + 1);
      await context.store.definitions.remove(one.board);
      expect(await context.store.definitions.count()).toBe(before);
    });
  });

  describe('T5: a board deleted', () => {
    it('leaves no key, but idempotency keys until they expire', async () => {
      const cadences = ['ALL_TIME', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
      const one = await TestBoard.make(context.store, { cadences, tieBreak: 'EARLIEST' });
      await one.submit('a', 1, { idempotencyKey: 'k', metadata: { n: 1 } });
      await one.submit('c', 3);
      await one.step([one.submission('b', 2)], { from: 'f', to: 't' });
      await context.store.entries.removeEntry(one.board, 'c', ['all'], { now: one.now, evenClosed: false });
      await one.update({ denseRanks: true });
      await context.store.entries.indexStep(one.board, 'all');
      await one.submit('d', 4);
      // Definition, log, periods, blocks, dense, open; the five keys of each period; one idempotency key.
      expect(await one.redisKeys()).toHaveLength(6 + 5 * 5 + 1);
      await context.store.definitions.remove(one.board);
      expect(await one.redisKeys()).toEqual([`lb:{${one.key}}#idem:k`]);
      expect(await context.store.redis.pttl(`lb:{${one.key}}#idem:k`)).toBeGreaterThan(0);
      expect(await context.store.redis.zscore('boards', one.key)).toBeNull();
    });

    it('cannot be deleted by who does not know it as it is', async () => {
      const one = await TestBoard.make(context.store);
      await context.store.definitions.remove(one.board);
      await expect(context.store.definitions.remove(one.board)).rejects.toBeInstanceOf(StaleBoard);
      const again = await TestBoard.make(context.store, {}, one.key);
      await expect(context.store.definitions.remove(one.board)).rejects.toBeInstanceOf(StaleBoard);
      expect(await context.other.definitions.find(one.key)).toEqual(again.board);
    });

    it('and made anew shares nothing with what it was', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.submit('a', 5, { idempotencyKey: 'k' });
      const before = await one.page();
      await context.store.definitions.remove(one.board);
      const again = await TestBoard.make(context.store, { scorePolicy: 'SUM' }, one.key);
      expect(again.board.incarnation).not.toBe(one.board.incarnation);
      const after = await again.page();
      expect(after).toMatchObject({ head: { version: 0, entryCount: 0 }, standings: [] });
      expect(after.head.epoch).not.toBe(before.head.epoch);
      // An idempotency key of the life before is unknown.
      const outcome = await again.submit('a', 7, { idempotencyKey: 'k' });
      expect(outcome).toMatchObject({ applied: true, duplicate: false, changes: [{ entry: { score: '7' } }] });
      await expect(one.submit('a', 1)).rejects.toBeInstanceOf(StaleBoard);
      await expect(one.page()).rejects.toBeInstanceOf(StaleBoard);
    });

    it('stays listed when it is made anew while it is being deleted', async () => {
      const one = await TestBoard.make(context.store);
      for (let round = 0; round < 40; round += 1) {
        const board = await one.find();
        const removing = context.store.definitions.remove(board);
        const making = until(() => context.other.definitions.create(one.key, board).catch(() => null));
        await Promise.all([removing, making]);
        expect([round, await context.store.redis.zscore('boards', one.key)]).toEqual([round, '0']);
      }
    });
  });

  describe('T5: a board that is not as the caller knows it', () => {
    /** Every method of the entry store, with a definition that may be stale. */
    const uses: [string, (one: TestBoard) => Promise<unknown>][] = [
      ['submit', (one) => one.submit('a', 1)],
      ['a block', (one) => one.step([], { from: 'f', to: 't' })],
      [
        'removeEntry',
        (one) => one.store.entries.removeEntry(one.board, 'a', ['all'], { now: one.now, evenClosed: true }),
      ],
      ['read', (one) => one.head()],
    ];

    it.each(uses)('is refused by %s after a change of its rules', async (_, use) => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5);
      const stale = one.board;
      await one.update({ graceSeconds: 1 });
      const current = one.board;
      one.board = stale;
      const before = await one.dump();
      await expect(use(one)).rejects.toBeInstanceOf(StaleBoard);
      expect(await one.dump()).toEqual(before);
      one.board = current;
      await use(one);
    });

    it.each(uses)('is refused by %s after it was deleted, and after it was made anew', async (_, use) => {
      const one = await TestBoard.make(context.store);
      await context.store.definitions.remove(one.board);
      await expect(use(one)).rejects.toBeInstanceOf(StaleBoard);
      expect(await one.redisKeys()).toEqual([]);
      await TestBoard.make(context.store, {}, one.key);
      const before = await one.dump();
      await expect(use(one)).rejects.toBeInstanceOf(StaleBoard);
      expect(await one.dump()).toEqual(before);
    });

    it.each(uses)('is refused by %s when another Redis process holds it', async (_, use) => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5);
      const { epoch } = await one.head();
      await holdAsAnotherProcess(context.store.redis, one.key);
      await expect(use(one)).rejects.toBeInstanceOf(StaleBoard);
      await one.find();
      await use(one);
      expect((await one.head()).epoch).not.toBe(epoch);
    });

    it('gets no other epoch from who found it before it got one', async () => {
      const { key, board } = await TestBoard.make(context.store);
      const [lost, now] = [fenceOf(board, 'lost'), fenceOf(board, 'now')];
      const renew = (fence: string) =>
        context.store.connection.script('renew', [keys.definition(key)], [lost, fence], asList);
      await context.store.redis.hset(keys.definition(key), 'fence', lost);
      await renew(now);
      await renew(fenceOf({ ...board, epoch: 'late' }, 'now'));
      expect(await context.store.redis.hget(keys.definition(key), 'fence')).toBe(now);
    });

    it('has one new epoch after that, whoever finds it, and keeps its entries', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 5);
      const first = await one.page();
      const cursor = { board: one.key, incarnation: one.board.incarnation, period: 'all', ...first.head };
      const read: PageRead = { ...wholePage, after: { ...cursor, index: 0, score: '9', member: 'z' } };
      await holdAsAnotherProcess(context.store.redis, one.key);
      context.other.definitions.forget(one.key);
      const found = await Promise.all([one.find(), context.other.definitions.find(one.key)]);
      expect(found[0]).toEqual(found[1]);
      expect(found[0]).toMatchObject({ version: 1, incarnation: cursor.incarnation });
      const page = await one.page(read);
      expect(page.standings).toMatchObject([{ memberId: 'a', score: '5' }]);
      expect(driftOf(page, read)).toEqual({ changed: true, drift: null });
      const [head] = await context.other.entries.read(one.board, [{ period: 'all', read: { kind: 'head' } }]);
      expect(head).toEqual(page.head);
    });
  });
}
