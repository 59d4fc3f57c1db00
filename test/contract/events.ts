import { describe, expect, it } from 'vitest';
import type { BoardEvent } from '../../src/core/events.ts';
import type { LeaderboardInput } from '../../src/core/leaderboard.ts';
import { TestBoard } from '../support/store.ts';
import { until } from '../support/until.ts';
import type { StoreContext } from './describe-store.ts';

/** What a listener in the other process hears of a board. */
async function listen(context: StoreContext, key: string) {
  const events: BoardEvent[] = [];
  let gaps = 0;
  const stop = await context.other.bus.subscribe(key, {
    event: (event) => void events.push(event),
    gap: () => {
      gaps += 1;
    },
  });
  return { events, gaps: () => gaps, stop };
}

export function describeEvents(context: StoreContext): void {
  describe('messages', () => {
    it('come one for each applied submission, and stand in the log as they were sent', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      const { epoch } = await one.head();
      const { events, stop } = await listen(context, one.key);
      const first = one.submission('a', 5);
      const better = one.submission('b', 7, { occurredAt: one.now - 1000 });
      const unchanged = one.submission('a', 3);
      await one.step([first, better, unchanged]);
      one.now += 86_400_000;
      const partly = one.submission('a', 4);
      await one.step([partly]);
      await one.store.entries.removeEntry(one.board, 'b', ['all'], { now: one.now, evenClosed: false });
      await until(() => events.length === 4);
      const applied = { outcome: 'APPLIED' };
      const inBoth = (change: object) => ['all', '2026-11-30'].map((period) => ({ period, ...applied, ...change }));
      expect(events).toEqual([
        {
          ...{ epoch, id: first.id, member: 'a', at: first.occurredAt },
          changes: inBoth({ version: 1, entry: { score: '5', ordered: 'a', index: 0, rank: 1, ties: 1, total: 1 } }),
        },
        {
          ...{ epoch, id: better.id, member: 'b', at: better.occurredAt },
          changes: inBoth({ version: 2, entry: { score: '7', ordered: 'b', index: 0, rank: 1, ties: 1, total: 2 } }),
        },
        {
          ...{ epoch, id: partly.id, member: 'a', at: partly.occurredAt },
          // Of a submission only what it changed.
          changes: [
            {
              ...{ period: '2026-12-01', ...applied, version: 1 },
              entry: { score: '4', ordered: 'a', index: 0, rank: 1, ties: 1, total: 1 },
            },
          ],
        },
        {
          ...{ epoch, id: expect.stringMatching(/^[0-9a-f-]{36}$/), member: 'b', at: one.now },
          changes: [
            {
              ...{ period: 'all', outcome: 'REMOVED', version: 3 },
              before: { score: '7', ordered: 'b', index: 0, rank: 1 },
            },
          ],
        },
      ]);
      expect(await one.log()).toEqual(events);
      stop();
    });

    it('stand in Redis as docs/redis-layout.md says', async () => {
      const rules = { tieBreak: 'SORT_KEY', denseRanks: true, maxEntries: 2, graceSeconds: 60, cadences: ['DAILY'] };
      const one = await TestBoard.make(context.store, rules as LeaderboardInput);
      const { epoch } = await one.head('2026-11-30');
      const noon = one.now;
      await one.submit('"a"', 5, { sortKey: 'ab' });
      await one.submit('b', 6, { sortKey: 'b', metadata: { level: 1 } });
      one.now = Date.UTC(2026, 11, 1);
      const occurredAt = one.now - 1;
      await one.submit('"a"', 7, { occurredAt });
      await one.submit('c', 8, { occurredAt });
      await one.store.entries.removeEntry(one.board, 'c', ['2026-11-30'], { now: one.now, evenClosed: false });
      const raw = await context.store.redis.xrange(`lb:{${one.key}}#log`, '-', '+');
      const texts = raw.map(([, [, text = '']]) => text.replace(epoch, 'epoch').replace(/[0-9a-f-]{36}/, 'id'));
      expect(texts).toEqual([
        `["epoch",["id","\\"a\\"",${noon},[["2026-11-30","APPLIED",1,0,0,0,["5",0,1,1,"9e9d~\\"a\\"",1,1]]]]]`,
        `["epoch",["id","b",${noon},[["2026-11-30","APPLIED",2,0,1,0,["6",0,1,1,"9d~b",1,2]]]]]`,
        `["epoch",["id","\\"a\\"",${occurredAt},[["2026-11-30","APPLIED",3,1,0,["5",1,2,2,"9e9d~\\"a\\"",1],["7",0,1,1,"9e9d~\\"a\\"",1,2]]]]]`,
        `["epoch",["id","c",${occurredAt},[["2026-11-30","APPLIED",4,1,0,0,["8",0,1,1,"~c",1,2]],["2026-11-30","EVICTED",5,0,0,["6",2,3,3,"9d~b",1],"b"]]]]`,
        `["epoch",["id","c",${one.now},[["2026-11-30","REMOVED",6,0,0,["8",0,1,1,"~c",1],0]]]]`,
      ]);
    });

    it('keep every digit of a time', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME'] });
      // 15 digits; Lua and its JSON write 14 unless told otherwise.
      const occurredAt = Date.UTC(8000, 0, 1) + 7;
      await one.submit('a', 1, { occurredAt });
      expect(await one.log()).toMatchObject([{ at: occurredAt }]);
    });

    it('say where a member was', async () => {
      const one = await TestBoard.make(context.store);
      await one.fill({ a: 5, b: 5, c: 9 });
      const { events, stop } = await listen(context, one.key);
      await one.submit('a', 12);
      await until(() => events.length === 1);
      expect(events[0]?.changes).toMatchObject([
        { version: 4, entry: { score: '12', index: 0, rank: 1 }, before: { score: '5', index: 2, rank: 2 } },
      ]);
      stop();
    });

    it('do not come for retries, refusals and what changed nothing', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', maxScore: 9, cadences: ['DAILY'] });
      const { events, stop } = await listen(context, one.key);
      await one.submit('a', 5, { idempotencyKey: 'k' });
      await one.submit('a', 5, { idempotencyKey: 'k' });
      await one.attempt('a', 6, { idempotencyKey: 'k' });
      await one.attempt('a', 5);
      await one.submit('a', 0);
      await one.submit('a', 1, { occurredAt: one.now - 86_400_000 });
      await one.submit('last', 1);
      await until(() => events.some(({ member }) => member === 'last'));
      expect(events.map(({ member }) => member)).toEqual(['a', 'last']);
      expect(await one.log()).toEqual(events);
      stop();
    });

    it('are heard from the moment a subscription is acknowledged, by every listener, of its own board only', async () => {
      const [one, another] = [await TestBoard.make(context.store), await TestBoard.make(context.store)];
      const [first, second, elsewhere] = [
        await listen(context, one.key),
        await listen(context, one.key),
        await listen(context, another.key),
      ];
      await one.submit('a', 1);
      await another.submit('b', 1);
      await until(() => first.events.length + second.events.length + elsewhere.events.length === 3);
      expect(second.events).toEqual(first.events);
      expect(elsewhere.events).toMatchObject([{ member: 'b' }]);
      first.stop();
      first.stop();
      await one.submit('a', 2);
      await until(() => second.events.length === 2);
      expect(first.events).toHaveLength(1);
      second.stop();
      elsewhere.stop();
    });

    it('leave no subscription behind', async () => {
      const one = await TestBoard.make(context.store);
      const channel = `lb:{${one.key}}`;
      const subscribers = async () => {
        const count = async (command: string) =>
          ((await context.store.redis.call('PUBSUB', command, channel)) as [string, number])[1];
        // In a Cluster channels are sharded.
        return (await count('NUMSUB')) + (await count('SHARDNUMSUB'));
      };
      const [first, second] = [await listen(context, one.key), await listen(context, one.key)];
      expect(await subscribers()).toBe(1);
      first.stop();
      second.stop();
      await until(async () => (await subscribers()) === 0);
      const again = await listen(context, one.key);
      await one.submit('a', 1);
      await until(() => again.events.length === 1);
      again.stop();
    });

    it('L1: after a lost connection a gap is told, and what follows is heard', async () => {
      const one = await TestBoard.make(context.store);
      const { events, gaps, stop } = await listen(context, one.key);
      await context.store.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await until(() => gaps() > 0);
      await one.submit('a', 1);
      await until(() => events.length === 1);
      // Definitions are heard of again too.
      await context.other.definitions.find(one.key);
      await one.update({ title: 'New' });
      await until(async () => (await context.other.definitions.find(one.key))?.title === 'New');
      stop();
    });

    it('of numbers beyond 14 digits are exact', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'LATEST' });
      await one.submit('a', '9007199254740991');
      await one.submit('a', '-9007199254740989');
      expect(await one.log()).toMatchObject([
        { changes: [{ entry: { score: '9007199254740991' } }] },
        { changes: [{ entry: { score: '-9007199254740989' }, before: { score: '9007199254740991' } }], at: one.now },
      ]);
    });

    it('of ids with quotes, backslashes and emoji arrive whole', async () => {
      const one = await TestBoard.make(context.store);
      const { events, stop } = await listen(context, one.key);
      const ids = ['"quoted"', '\\back/slash', '😀', '李', "'", '\u2028'];
      for (const memberId of ids) await one.submit(memberId, 1);
      await until(() => events.length === ids.length);
      expect(events.map(({ member }) => member)).toEqual(ids);
      stop();
    });
  });
}
